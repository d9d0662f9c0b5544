import { createServer } from 'node:net'
import { EmbeddedPostgresError } from './errors.ts'

export const DEFAULT_PORT = 5499

// Linux hands out ports from 32768 on to outgoing connections: one of those could be taken from
// under us between two starts.
const HIGHEST = 32_767
const LOWEST = 1_024
const TRIES = 100

/** The first free port at or after `from`, on 127.0.0.1. */
export async function freePort(from: number): Promise<number> {
  if (from < LOWEST || from > HIGHEST) {
    throw new EmbeddedPostgresError(`port ${from} is not between ${LOWEST} and ${HIGHEST}`)
  }
  const last = Math.min(from + TRIES - 1, HIGHEST)
  for (let port = from; port <= last; port += 1) {
    if (await isFree(port)) return port
  }
  throw new EmbeddedPostgresError(`ports ${from} to ${last} are all taken`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.close(() => resolve(true))
    })
  })
}
