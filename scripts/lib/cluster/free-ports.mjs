import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Ports below those that the system hands out, that nobody listens on now. All are held until all are found. */
export async function freePorts(count) {
  const held = []
  while (held.length < count) {
    const port = randomInt(15_000, 30_000)
    const server = createServer()
    const isOurs = await new Promise((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    if (isOurs) held.push({ port, server })
  }
  await Promise.all(held.map(({ server }) => new Promise((resolve) => server.close(resolve))))
  return held.map(({ port }) => port)
}
