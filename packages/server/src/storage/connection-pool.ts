// A pool that does not hand out connections that it no longer trusts. When one turns out to be silent, cut or
// read-only, the others probably lead to the same place: they are dropped as they come back, and new ones are made.
import { callbackify } from 'node:util'

import pg from 'pg'

import { isLostConnection, UnconfirmedError } from '../core/outage.ts'
import { inOneWrite } from './in-one-write.ts'
import { BEGIN_SESSION, asSent } from './session-settings.ts'
import { destroy, unlessSilent } from './silence.ts'
import type { PoolUse } from './sql.ts'

export interface PooledClient {
  /** Whether its session was made to take no writes: by its server or its database, and not by us. */
  readonly onlyReads: boolean
  send(query: pg.QueryConfig | string): Promise<pg.QueryResult>
  /** Marks the connection as unfit for the next caller. */
  abandon(why: Error): void
  /** Lets its answers take this long from now on. */
  allow(limitMs: number): void
}

/**
 * The part of PostgreSQL that waits for a standby. Cancelled, it warns and lets the commit be answered as if all were well,
 * although a failover would undo it. By its name, because the warning is in the server's language.
 */
const GAVE_UP_WAITING = 'SyncRepWaitForLSN'

export class ConnectionPool {
  readonly #pool: pg.Pool
  readonly #isPooled: boolean
  readonly #limitMs: number
  readonly #onDistrust: () => void
  readonly #trusted = new Set<pg.PoolClient>()
  /** Those whose commit no standby has confirmed. */
  readonly #unconfirmed = new WeakSet<pg.PoolClient>()
  readonly #onlyReading = new WeakSet<pg.ClientBase>()

  constructor(
    config: pg.PoolConfig,
    options: { isPooled: boolean; limitMs: number; onError: (error: Error) => void; onDistrust: () => void },
  ) {
    this.#pool = new pg.Pool(
      options.isPooled ? config : { ...config, verify: callbackify((client: pg.ClientBase) => this.#begin(client)) },
    )
    this.#isPooled = options.isPooled
    this.#limitMs = options.limitMs
    this.#onDistrust = options.onDistrust
    // Both are needed: an error on a connection that is checked out is not the pool's, and an unheard one ends the process.
    this.#pool.on('error', options.onError)
    this.#pool.on('connect', (client) => {
      this.#trusted.add(client)
      client.on('error', options.onError)
      client.on('notice', ({ routine }) => {
        if (routine === GAVE_UP_WAITING) this.#unconfirmed.add(client)
      })
    })
    this.#pool.on('remove', (client) => this.#trusted.delete(client))
  }

  async withClient<T>(work: (client: PooledClient) => Promise<T>): Promise<T> {
    const client = await this.#acquire()
    let lost: Error | undefined
    let limitMs = this.#limitMs
    const send = async (query: pg.QueryConfig | string): Promise<pg.QueryResult> => {
      inOneWrite(client)
      try {
        const reply = await unlessSilent(client, limitMs, client.query(asSent(query, this.#isPooled)))
        if (this.#unconfirmed.has(client)) throw new UnconfirmedError()
        return reply
      } catch (error) {
        if (isLostConnection(error)) lost ??= error as Error
        throw error
      }
    }
    try {
      const onlyReads = this.#onlyReading.has(client)
      return await work({ onlyReads, send, abandon: (why) => (lost ??= why), allow: (ms) => (limitMs = ms) })
    } finally {
      if (lost !== undefined) this.#onDistrust()
      client.release(lost)
    }
  }

  /** A session of our own only reads, unless a transaction says that it writes. */
  async #begin(client: pg.ClientBase): Promise<void> {
    const answers = client.query(BEGIN_SESSION) as unknown as Promise<pg.QueryResult<{ onlyReads: boolean }>[]>
    const [found] = await unlessSilent(client, this.#limitMs, answers)
    if (found!.rows[0]!.onlyReads) this.#onlyReading.add(client)
  }

  /** Drops the idle connections now, and those in use as soon as they come back. */
  distrust(): void {
    this.#trusted.clear()
  }

  use(): PoolUse {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.#pool
    return { total, idle, waiting, most: this.#pool.options.max }
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  async #acquire(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#pool.connect()
      if (this.#trusted.has(client)) return client
      destroy(client)
      client.release(true)
    }
  }
}
