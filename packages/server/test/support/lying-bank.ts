// A stand-in between the service and its bank, over real HTTP: it passes everything on and changes what a test says.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { ProviderOptions } from '../../src/rail/provider/provider-client.ts'

type Rows = Record<string, unknown>[]

/** Stands for a value nested a hundred thousand deep: recursive code that reads it overflows the stack. */
export const DEEP = '@deep'
const BRACKETS = '['.repeat(100_000) + ']'.repeat(100_000)
const written = (value: unknown): string => JSON.stringify(value).replaceAll(JSON.stringify(DEEP), BRACKETS)

type Choose = (request: { method: string; path: string }) => number | { status: number; code: string } | null

export interface LyingBank {
  readonly provider: ProviderOptions
  /** From now on the rows of this list, or the one thing under this path, are what the function makes of them. */
  lieAbout(path: string, tell: ((rows: Rows, query: URLSearchParams) => unknown[]) | null): void
  /** Answers of this status instead, with this code, chosen request by request; null tells the truth again. */
  refuse(choose: Choose | null): void
  /** No lies from now on. */
  tellTheTruth(): void
  /** How often a path was asked for. */
  asked(path: string): number
  /** Everything that was asked for, like `POST /transfers`, the oldest first. */
  readonly log: readonly string[]
  close(): Promise<void>
}

export async function startLyingBank(real: ProviderOptions): Promise<LyingBank> {
  const lies = new Map<string, (rows: Rows, query: URLSearchParams) => unknown[]>()
  const counts = new Map<string, number>()
  const log: string[] = []
  let refusal: Choose | null = null
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      void (async () => {
        const url = new URL(request.url ?? '/', real.baseUrl)
        const path = url.pathname.replace(/^\/v0/, '')
        counts.set(path, (counts.get(path) ?? 0) + 1)
        log.push(`${request.method} ${path}`)
        const refused = refusal?.({ method: request.method ?? 'GET', path }) ?? null
        if (refused !== null) {
          const { status, code } = typeof refused === 'number' ? { status: refused, code: 'rate_limited' } : refused
          response.writeHead(status, { 'content-type': 'application/json' })
          return response.end(JSON.stringify({ code, message: 'later' }))
        }
        const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
        const answer = await fetch(url, {
          method: request.method ?? 'GET',
          headers: headers as Record<string, string>,
          ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
        })
        const text = await answer.text()
        const lie = lies.get(path)
        response.writeHead(answer.status, { 'content-type': 'application/json' })
        if (lie === undefined || answer.status !== 200) return response.end(text)
        const body = JSON.parse(text) as Record<string, unknown> & { data?: Rows }
        if (body.data === undefined) return response.end(written(lie([body], url.searchParams)[0]))
        return response.end(written({ ...body, data: lie(body.data, url.searchParams) }))
      })().catch(() => response.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    provider: { ...real, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v0` },
    lieAbout: (path, tell) => void (tell === null ? lies.delete(path) : lies.set(path, tell)),
    refuse: (choose) => void (refusal = choose),
    tellTheTruth: () => lies.clear(),
    asked: (path) => counts.get(path) ?? 0,
    log,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
