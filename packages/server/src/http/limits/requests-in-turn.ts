// A client may send its next requests on a connection before it has an answer. Each is begun when those before it have
// been answered, so that a connection has one request under way, and none whose answer could never be written: Node does
// not tell an answer that stands behind another that its connection has ended.
import type { Socket } from 'node:net'

import type { FastifyInstance } from 'fastify'

/** More than a library that does this sends ahead. Each is kept in memory until its turn. */
const MOST_WAITING = 50

/** Adds the first hook of all: whatever a request takes, it takes in its turn. */
export function beginInTurn(app: FastifyInstance): void {
  const waiting = new WeakMap<Socket, number>()
  app.addHook('onRequest', (request, reply, done) => {
    // Node gives the connection to one answer after the other.
    if (reply.raw.socket !== null) {
      done()
      return
    }
    const { socket } = request.raw
    const before = waiting.get(socket) ?? 0
    if (before >= MOST_WAITING) {
      socket.destroy()
      return
    }
    waiting.set(socket, before + 1)
    reply.raw.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
      if (!socket.destroyed) process.nextTick(done)
    })
  })
}
