// The pages where the API explains itself. None loads anything from another host.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { ERRORS_POLICY, errorsPage } from './errors-page.ts'
import { ERRORS_STYLE } from './errors-style.ts'
import { rootFrom } from './html.ts'
import { REFERENCE_POLICY, referencePage } from './reference-page.ts'
import { REFERENCE_SCRIPT } from './reference-script.ts'
import { REFERENCE_STYLE } from './reference-style.ts'
import { readScalarLibrary } from './scalar-library.ts'
import { type ServedAsset, servedAsset } from './served-asset.ts'

const HTML = 'text/html; charset=utf-8'
const JAVASCRIPT = 'text/javascript; charset=utf-8'
const CSS = 'text/css; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'

type Load = () => Promise<ServedAsset>

export function addDocsRoutes(app: FastifyInstance, publicUrl: string): void {
  const script = servedAsset(JAVASCRIPT, REFERENCE_SCRIPT)
  const style = servedAsset(CSS, REFERENCE_STYLE)
  const library = once(async () => servedAsset(JAVASCRIPT, await readScalarLibrary()))
  const reference = pageByRoot(async (root) => {
    const versions = { library: (await library()).version, script: script.version, style: style.version }
    return referencePage(root, versions)
  })
  serve('/docs', reference, REFERENCE_POLICY)
  serve('/docs/scalar.js', library)
  serve('/docs/reference.js', async () => script)
  serve('/docs/reference.css', async () => style)

  const errorsStyle = servedAsset(CSS, ERRORS_STYLE)
  serve(
    '/docs/errors',
    pageByRoot(async (root) => errorsPage(root, { publicUrl, style: errorsStyle.version })),
    ERRORS_POLICY,
  )
  serve('/docs/errors.css', async () => errorsStyle)
  serve(
    '/openapi.json',
    once(async () => servedAsset(JSON_TYPE, JSON.stringify(app.swagger()))),
  )

  function serve(url: string, load: (request: FastifyRequest) => Promise<ServedAsset>, policy?: string): void {
    app.get(url, {
      config: { auth: 'none' },
      schema: { hide: true },
      handler: async (request, reply): Promise<FastifyReply> => {
        const asset = await load(request)
        if (policy !== undefined) reply.header('Content-Security-Policy', policy)
        return asset.send(request, reply)
      },
    })
  }
}

/** Made when first asked for, and kept. A failure is not kept. */
function once(make: Load): Load {
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
function pageByRoot(render: (root: string) => Promise<string>): (request: FastifyRequest) => Promise<ServedAsset> {
  const forms = new Map<string, Load>()
  return (request) => {
    const root = rootFrom(request.url)
    const form = forms.get(root) ?? once(async () => servedAsset(HTML, await render(root)))
    forms.set(root, form)
    return form()
  }
}
