// A connection can go silent without being cut: a network that forgot it, a machine that was moved. PostgreSQL's own
// limits are no help then, because they are kept on the other side. So every answer has a limit here as well, and a
// connection that exceeds it is destroyed, with everything that waits on it.
import type pg from 'pg'

import { SilenceError } from '../core/outage.ts'

/** The time that PostgreSQL's own refusal may take to reach us before silence is what it is. */
export const GRACE_MS = 2_500

export async function unlessSilent<T>(client: pg.ClientBase, limitMs: number, reply: Promise<T>): Promise<T> {
  let last: NodeJS.Immediate | undefined
  // A process that was busy itself finds timer and answer waiting together: the answer is read first.
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

/** At once: a goodbye would wait for an answer too. */
export function destroy(client: pg.ClientBase, error?: Error): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(error?: Error): void } } }
  connection.stream.destroy(error)
}
