// A proxy in front of the service that does to each request what the test says: in the order of the list, then nothing more.
import { type IncomingMessage, type Server, type ServerResponse, createServer, request as ask } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export type Fault =
  | 'none'
  /** The service never hears of it. */
  | 'lost_request'
  /** The service has acted, and its answer does not arrive. */
  | 'lost_answer'
  /** The service has acted, and its answer ends in the middle. */
  | 'cut_answer'
  /** The service has acted, and nobody answers. */
  | 'silence'
  /** A proxy's own page. */
  | { readonly page: number }
  /** An answer of the service that it is hard to make it give. */
  | { readonly status: number; readonly code: string; readonly retryAfter?: string; readonly details?: object }

export interface FaultyProxy {
  readonly url: string
  /** Each request that arrived: its method, its path and its idempotency key. */
  readonly heard: { readonly route: string; readonly key: string | undefined; readonly body: string }[]
  /** What happens to the next requests. */
  plan(faults: readonly Fault[]): void
  /** Decides for each request; a plan goes first. */
  onEach(choose: () => Fault): void
  close(): Promise<void>
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  let planned: Fault[] = []
  let choose: () => Fault = () => 'none'
  const heard: FaultyProxy['heard'] = []
  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request)
      const key = request.headers['idempotency-key'] as string | undefined
      heard.push({ route: `${request.method} ${request.url}`, key, body: body.toString() })
      await act(planned.shift() ?? choose(), { request, response, body, target })
    })().catch(() => response.destroy())
  })
  await listening(server)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    plan: (faults) => {
      planned = [...faults]
      heard.length = 0
    },
    onEach: (rule) => (choose = rule),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function listening(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}

interface Passing {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Buffer
  readonly target: string
}

async function act(fault: Fault, passing: Passing): Promise<void> {
  const { response } = passing
  if (fault === 'lost_request') return void response.destroy()
  if (typeof fault === 'object') return answerItself(fault, response)
  const [answer, text] = await forward(passing)
  if (fault === 'silence') return
  if (fault === 'lost_answer') return void response.destroy()
  const { 'transfer-encoding': _encoding, ...headers } = answer.headers
  response.writeHead(answer.statusCode ?? 500, { ...headers, 'content-length': text.length })
  if (fault === 'none') return void response.end(text)
  response.write(text.subarray(0, text.length / 2), () => response.destroy())
}

function answerItself(fault: Extract<Fault, object>, response: ServerResponse): void {
  if ('page' in fault) {
    response.writeHead(fault.page, { 'content-type': 'text/html' }).end('<h1>The proxy has a bad day</h1>')
    return
  }
  const { code, details } = fault
  const retryAfter = fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter }
  response
    .writeHead(fault.status, { 'content-type': 'application/json', ...retryAfter })
    .end(JSON.stringify({ error: { code, message: 'As the test says.', details, request_id: 'a-request' } }))
}

async function forward({ request, body, target }: Passing): Promise<[IncomingMessage, Buffer]> {
  const { host: _host, connection: _connection, ...headers } = request.headers
  const asking = ask(new URL(request.url ?? '/', target), { method: request.method ?? 'GET', headers })
  asking.end(body)
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  return [answer, await buffer(answer)]
}
