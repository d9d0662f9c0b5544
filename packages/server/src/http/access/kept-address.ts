// Where a connection comes from, for as long as anything is done for it.
import type { FastifyInstance } from 'fastify'

/**
 * Node asks for the address when it is first read, and keeps it then; of a connection that has ended there is none any more. Read at
 * once, it is there for whoever hangs up: to be counted by, and to stand by in the log. Where there is none even then, nobody is there
 * to be answered, and what they have sent is not read.
 */
export function keepAddresses(app: FastifyInstance): void {
  app.server.on('connection', (socket) => {
    if (socket.remoteAddress === undefined) socket.destroy()
  })
}
