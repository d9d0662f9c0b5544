// Tells workers in other processes that something happened: LISTEN and NOTIFY. A hint and no more: one that is lost costs
// the time until the next round of a worker at rest.
import pg from 'pg'

import { newId } from '../core/ids.ts'
import { type Clock, sleep } from '../core/clock.ts'
import { type Db, statement } from './sql.ts'

const CHANNEL = 'kestrel_work'
const NOTIFY = statement('ring_for_work', `select pg_notify('${CHANNEL}', $1)`)

/** How often a listener proves that it hears. A connection can be dead and not know it. */
const PROVE_EVERY_MS = 30_000
const HEARD_WITHIN_MS = 5_000
const ANSWER_WITHIN_MS = 5_000
/** After a connection that broke, and after one over which nothing is heard, as through a pooler of transactions. */
const AGAIN_MS = 1_000
const DEAF_MS = 60_000

/** Not part of a transaction that moves money: PostgreSQL lets only one that notifies commit at a time. */
export async function ringForWork(db: Db): Promise<void> {
  await db.query(NOTIFY, [''])
}

export interface Listener {
  /** Whether a ring would be heard, as far as the last proof goes. */
  readonly hears: () => boolean
  readonly close: () => Promise<void>
}

export interface ListenOptions {
  readonly url: string
  /** Other connections than the listener's own, over which it is proved that it hears. */
  readonly db: Db
  readonly clock: Clock
  readonly onRing: () => void
}

export function listenForWork({ url, db, clock, onRing }: ListenOptions): Listener {
  const closing = new AbortController()
  let hears = false

  /** Until the connection breaks, or does not hear. Returns when to try again. */
  async function listenOnce(): Promise<number> {
    const over = new AbortController()
    const proof = newId(clock.now())
    let proved = () => {}
    const client = new pg.Client({
      connectionString: url,
      application_name: 'kestrel-bell',
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      keepAlive: true,
    })
    const end = () => over.abort()
    client.on('error', end).on('end', end)
    closing.signal.addEventListener('abort', end)
    client.on('notification', ({ payload = '' }) => {
      if (payload === proof) proved()
      // Another listener's proof is nobody's work.
      else if (payload === '') onRing()
    })
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      while (!over.signal.aborted) {
        const heard = new Promise<boolean>((resolve) => (proved = () => resolve(true)))
        db.query(NOTIFY, [proof]).catch(end)
        hears = await Promise.race([heard, sleep(HEARD_WITHIN_MS, over.signal).then(() => false)])
        if (!hears) return over.signal.aborted ? AGAIN_MS : DEAF_MS
        await sleep(PROVE_EVERY_MS, over.signal)
      }
      return AGAIN_MS
    } finally {
      hears = false
      closing.signal.removeEventListener('abort', end)
      // A connection that does not answer is not waited for.
      await Promise.race([client.end().catch(() => undefined), sleep(AGAIN_MS)])
    }
  }

  const running = (async () => {
    while (!closing.signal.aborted) {
      const againMs = await listenOnce().catch(() => AGAIN_MS)
      await sleep(againMs, closing.signal)
    }
  })()
  return {
    hears: () => hears,
    close: async () => {
      closing.abort()
      // A database that does not answer holds up nobody who stops.
      await Promise.race([running, sleep(AGAIN_MS)])
    },
  }
}
