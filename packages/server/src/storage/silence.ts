// A connection can go silent without being cut: the network forgot it, or a machine was moved. PostgreSQL's own limits
// do not help then, because they run on the other side. So every answer has a limit here too, and a connection that
// exceeds it is destroyed, with everything that waits on it.
import type pg from 'pg'

import { SilenceError } from '../core/outage.ts'

/** How long PostgreSQL's own refusal may take to reach us before the connection counts as silent. */
export const GRACE_MS = 2_500

/** How long it may take until a connection is made, for those who have somebody waiting. */
export const CONNECT_WITHIN_MS = 5_000

/**
 * The same for a process that starts. It has nothing better to do than to wait for a database that is busy, and while it reads its own
 * program it is slow to see that it was let in.
 */
export const CONNECT_AT_START_WITHIN_MS = 30_000

/**
 * How long a look-up may take before those who come go on over another connection. It takes a millisecond; a machine that is so
 * busy that it takes this long loses little by one connection more.
 */
export const LOOKUP_PATIENCE_MS = 1_000

/** Those who share a look-up wait longer than its connection does, or the next one would go over the connection that says nothing. */
export const SHARED_LOOKUP_PATIENCE_MS = LOOKUP_PATIENCE_MS + 250

export async function unlessSilent<T>(client: pg.ClientBase, limitMs: number, reply: Promise<T>): Promise<T> {
  let last: NodeJS.Immediate | undefined
  // A process that was busy itself finds the timer and the answer waiting together: the answer is read first.
  const timer = setTimeout(() => {
    last = setImmediate(() => destroy(client, new SilenceError(limitMs)))
  }, limitMs)
  try {
    return await reply
  } finally {
    clearTimeout(timer)
    clearImmediate(last)
  }
}

/** Destroyed at once: an orderly goodbye would wait for an answer too. */
export function destroy(client: pg.ClientBase, error?: Error): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(error?: Error): void } } }
  connection.stream.destroy(error)
}
