// A write to a socket costs more than most statements do, and wakes the other side each time. So the statements of a transaction that
// are sent in one turn of the event loop go out together.
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
