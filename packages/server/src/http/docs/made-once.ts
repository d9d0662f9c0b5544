// Files and pages that are made when they are first asked for, and kept.
import type { FastifyReply, FastifyRequest } from 'fastify'

import { rootFrom } from './html.ts'
import { type ServedAsset, servedAsset } from './served-asset.ts'

const HTML = 'text/html; charset=utf-8'

export type Load = () => Promise<ServedAsset>
export type LoadFor = (request: FastifyRequest) => Promise<ServedAsset>

/** A failure is not kept. */
export function once(make: Load): Load {
  let made: Promise<ServedAsset> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

/** A page has two forms, for its address with and without a final slash: their links differ. */
export function pageByRoot(render: (root: string) => Promise<string>): LoadFor {
  const forms = new Map<string, Load>()
  return (request) => {
    const root = rootFrom(request.url)
    const form = forms.get(root) ?? once(async () => servedAsset(HTML, await render(root)))
    forms.set(root, form)
    return form()
  }
}

export function sendUnder(
  policy: string,
  asset: ServedAsset,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('Content-Security-Policy', policy)
  return asset.send(request, reply)
}
