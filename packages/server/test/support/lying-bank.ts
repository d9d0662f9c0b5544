// A stand-in between the service and its bank, over real HTTP: it passes everything on and changes what a test says.
import { type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { ProviderOptions } from '../../src/rail/provider/provider-client.ts'

type Rows = Record<string, unknown>[]

/** Stands for a value nested a hundred thousand deep: recursive code that reads it overflows the stack. */
export const DEEP = '@deep'
const BRACKETS = '['.repeat(100_000) + ']'.repeat(100_000)
const written = (value: unknown): string => JSON.stringify(value).replaceAll(JSON.stringify(DEEP), BRACKETS)

interface NamedRefusal {
  readonly status: number
  readonly key?: string
  /** The bank's own word; `invalid_parameters` if it is absent. */
  readonly code?: string
  /** The bank acts on it first. */
  readonly isAfter?: true
}

type Choose = (request: { method: string; path: string }) => number | NamedRefusal | null

/** A request as it was on the wire. */
export interface WireRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly key: string | null
  readonly body: string
}

export interface LyingBank {
  readonly provider: ProviderOptions
  /**
   * From now on the rows of this list, or the one thing under this path, are what the function makes of them. The answer to
   * an order is meant by `POST /transfers`.
   */
  lieAbout(path: string, tell: ((rows: Rows, query: URLSearchParams) => unknown[]) | null): void
  /** Answers of this status instead, about this field of the body, chosen request by request; null tells the truth again. */
  refuse(choose: Choose | null): void
  /** No lies from now on. */
  tellTheTruth(): void
  /** How often a path was asked for. */
  asked(path: string): number
  /** Everything that was asked for, like `POST /transfers`, the oldest first. */
  readonly log: readonly string[]
  /** The same, to the byte. */
  readonly wire: readonly WireRequest[]
  close(): Promise<void>
}

const named = (refused: number | NamedRefusal): NamedRefusal =>
  typeof refused === 'number' ? { status: refused } : refused
const isAfter = (refused: number | NamedRefusal) => typeof refused !== 'number' && refused.isAfter === true

function refuse(response: ServerResponse, refused: number | NamedRefusal): void {
  const { status, key, code = 'invalid_parameters' } = named(refused)
  const source = key === undefined ? {} : { source: { location: 'body', key } }
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ code, message: 'later', ...source }))
}

export async function startLyingBank(real: ProviderOptions): Promise<LyingBank> {
  const lies = new Map<string, (rows: Rows, query: URLSearchParams) => unknown[]>()
  const counts = new Map<string, number>()
  const log: string[] = []
  const wire: WireRequest[] = []
  let refusal: Choose | null = null
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      void (async () => {
        const url = new URL(request.url ?? '/', real.baseUrl)
        const path = url.pathname.replace(/^\/v0/, '')
        counts.set(path, (counts.get(path) ?? 0) + 1)
        const method = request.method ?? 'GET'
        log.push(`${method} ${path}`)
        const key = request.headers['idempotency-key']
        const sent = Buffer.concat(chunks).toString()
        wire.push({ method, path, query: url.search, key: typeof key === 'string' ? key : null, body: sent })
        const refused = refusal?.({ method, path }) ?? null
        if (refused !== null && !isAfter(refused)) return refuse(response, refused)
        const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
        const answer = await fetch(url, {
          method,
          headers: headers as Record<string, string>,
          ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
        })
        const text = await answer.text()
        if (refused !== null) return refuse(response, refused)
        const lie = answer.status < 300 ? lies.get(method === 'GET' ? path : `${method} ${path}`) : undefined
        response.writeHead(answer.status, { 'content-type': 'application/json' })
        if (lie === undefined) return response.end(text)
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
    wire,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
