// Finds a port and serves on it. A taken port is reported, and the next one is tried.
import type { FastifyInstance } from 'fastify'
import { createServer } from 'node:net'

const MOST_TRIES = 20
const HIGHEST_PORT = 65_535

/** Longer than any request should take; connections that are still open then are cut. */
const LONGEST_DRAIN_MS = 6_000

export interface Listening {
  readonly url: string
  /** Takes no new requests and waits for those under way. */
  readonly close: () => Promise<void>
  readonly notes: readonly string[]
}

export async function listen(options: {
  host: string
  port: number
  publicUrl: string | null
  build: (publicUrl: string) => Promise<FastifyInstance>
}): Promise<Listening> {
  const { build } = options
  const host = oneAddress(options.host)
  for (let port = options.port; port < options.port + MOST_TRIES; port++) {
    const actual = await freePort(host, port)
    if (actual === null) continue
    const url = `http://${reachable(options.host)}:${actual}`
    const app = await build(options.publicUrl ?? url)
    try {
      await app.listen({ host, port: actual })
      const notes =
        options.port !== 0 && actual !== options.port ? [`port ${options.port} is taken; using ${actual}`] : []
      return { url, notes, close: () => drain(app) }
    } catch (error) {
      await app.close()
      if (!isTaken(error)) throw error
    }
  }
  throw new Error(
    `Ports ${options.port} to ${options.port + MOST_TRIES - 1} on ${options.host} are all taken. Set PORT to a free one.`,
  )
}

/**
 * Opens something on the wanted port or, unless the operator chose that port, on the next free one. Another process may
 * come between the check and the opening, so only what has been opened counts.
 */
export async function openOnFreePort<T>(options: {
  host: string
  port: number
  /** The variable that sets the port. */
  name: string
  isFixed: boolean
  open: (port: number) => Promise<T>
}): Promise<{ opened: T; notes: string[] }> {
  const { host, port: wanted, name, isFixed, open } = options
  const most = isFixed || wanted === 0 ? 1 : MOST_TRIES
  for (let port = wanted; port < wanted + most && port <= HIGHEST_PORT; port++) {
    try {
      if ((await freePort(host, port)) === null) continue
      const opened = await open(port)
      return { opened, notes: port === wanted ? [] : [`port ${wanted} is taken; using ${port}`] }
    } catch (error) {
      if (!isTaken(error)) throw error
    }
  }
  throw new Error(
    isFixed
      ? `Port ${wanted} on ${host} is taken. Set ${name} to a free one, or leave it out: then the next free one is used.`
      : `Ports ${wanted} to ${wanted + most - 1} on ${host} are all taken. Set ${name} to a free one.`,
  )
}

function isTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
}

async function drain(app: FastifyInstance): Promise<void> {
  const cutOff = setTimeout(() => app.server.closeAllConnections(), LONGEST_DRAIN_MS)
  await app.close()
  clearTimeout(cutOff)
}

/** The port, or for 0 the one that the system gives; null when it is taken. */
function freePort(host: string, port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(null) : reject(error)))
    probe.listen({ host, port }, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port))
    })
  })
}

/** Fastify would listen at each address of `localhost`, at all but the first without what our server was given. */
const oneAddress = (host: string) => (host === 'localhost' ? '127.0.0.1' : host)

/** An address at which this machine can be reached: 0.0.0.0 is none. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
