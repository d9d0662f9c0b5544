// The bundled bank in the dress of another: what a test says is answered instead, and the rest is passed on.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { ProviderOptions } from '../../../src/rail/provider/provider-client.ts'

export interface Asked {
  readonly method: string
  /** Without the query. */
  readonly path: string
}

export interface Answer {
  readonly status: number
  /** A text is sent as it is, as a page. */
  readonly body: unknown
}

/** Gives another answer than the bank's, or the bank's (null). `real` is what the bank says, once it is asked. */
export type Dress = (asked: Asked, real: () => Promise<Answer>) => Promise<Answer | null> | Answer | null

export interface DressedBank {
  readonly provider: ProviderOptions
  wear(dress: Dress): void
  close(): Promise<void>
}

export async function dressBank(provider: ProviderOptions): Promise<DressedBank> {
  let dress: Dress = () => null
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      void (async () => {
        const url = new URL(request.url ?? '/', provider.baseUrl)
        const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
        const real = async (): Promise<Answer> => {
          const answer = await fetch(url, {
            method: request.method ?? 'GET',
            headers: headers as Record<string, string>,
            ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
          })
          return { status: answer.status, body: await answer.json() }
        }
        const asked = { method: request.method ?? 'GET', path: url.pathname.replace(/^\/v0/, '') }
        const { status, body } = (await dress(asked, real)) ?? (await real())
        const isPage = typeof body === 'string'
        response.writeHead(status, { 'content-type': isPage ? 'text/html' : 'application/json' })
        response.end(isPage ? body : JSON.stringify(body))
      })().catch(() => response.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    provider: { ...provider, baseUrl: `http://127.0.0.1:${port}/v0` },
    wear: (next) => void (dress = next),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
