// A write to a socket is a system call, which costs Node more than most of our statements cost PostgreSQL. So what is
// sent over a connection in one turn of the event loop goes out together.
import type pg from 'pg'

interface Corkable {
  cork(): void
  uncork(): void
}

const gathering = new WeakSet<Corkable>()

/** Call before each statement. What is sent until the end of this turn shares a write. */
export function inOneWrite(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Corkable } }).connection
  if (gathering.has(stream)) return
  gathering.add(stream)
  stream.cork()
  setImmediate(() => {
    gathering.delete(stream)
    stream.uncork()
  })
}
