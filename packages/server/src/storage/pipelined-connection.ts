// One connection shared by many callers: each sends its statement at once, and the answers come back in order. It is
// made when first needed, and again after it broke; only what was under way then fails. While it says nothing, those who come
// go on over another, so that one answer that does not come holds up nobody else.
import pg from 'pg'

import { monotonicMs } from '../core/clock.ts'
import { isLostConnection } from '../core/outage.ts'
import { inOneWrite } from './in-one-write.ts'
import { asSent } from './session-settings.ts'
import { destroy, unlessSilent } from './silence.ts'
import type { Db, SqlStatement } from './sql.ts'

export interface PipelineOptions {
  readonly isPooled: boolean
  /** An answer that takes longer counts as lost. */
  readonly limitMs: number
  /** After so long without an answer that is owed, others are sent elsewhere. */
  readonly patienceMs: number
  readonly onError: (error: Error) => void
  /** Called when the connection to the database was lost. */
  readonly onDistrust: () => void
}

const LONGEST_GOODBYE_MS = 1_000

/** A connection, and how much is under way on it. */
interface Line {
  readonly client: Promise<pg.Client>
  underWay: number
  /** When it answered last, or was first owed an answer. */
  heardAt: number
}

export class PipelinedConnection implements Db {
  readonly #config: pg.ClientConfig
  readonly #options: PipelineOptions
  #line: Line | undefined
  /** The one that newcomers have left, until it has answered or failed: one at a time, or a slow database would get ever more of them. */
  #left: Line | undefined

  constructor(config: pg.ClientConfig, options: PipelineOptions) {
    this.#config = config
    this.#options = options
  }

  async query<Row>(sql: SqlStatement, values: readonly unknown[] = []): Promise<Row[]> {
    const line = this.#lineForNewcomers()
    if (line.underWay === 0) line.heardAt = monotonicMs()
    line.underWay++
    try {
      const client = await line.client
      // A single caller is not kept waiting for others that do not come.
      if (line.underWay > 1) inOneWrite(client)
      const reply = client.query(asSent({ ...sql, values: [...values] }, this.#options.isPooled))
      return (await unlessSilent(client, this.#options.limitMs, reply)).rows as Row[]
    } catch (error) {
      // A connection that is being cut tells its queries before it ends: no other caller should be sent to it.
      if (isLostConnection(error)) {
        this.#options.onDistrust()
        this.#forget(line)
      }
      throw error
    } finally {
      line.heardAt = monotonicMs()
      line.underWay--
      if (line === this.#left && line.underWay === 0) this.#forget(line)
    }
  }

  #lineForNewcomers(): Line {
    if (this.#line !== undefined && this.#left === undefined && this.#isSilent(this.#line)) {
      this.#left = this.#line
      this.#line = undefined
    }
    return (this.#line ??= this.#open())
  }

  #isSilent({ underWay, heardAt }: Line): boolean {
    return underWay > 0 && monotonicMs() - heardAt > this.#options.patienceMs
  }

  /** Ends a connection that is used, and only it: another may have taken its place. */
  #forget(line: Line): void {
    if (this.#line !== line && this.#left !== line) return
    if (this.#line === line) this.#line = undefined
    if (this.#left === line) this.#left = undefined
    line.client.then((client) => client.end()).catch(() => undefined)
  }

  #open(): Line {
    const line: Line = { client: this.#connect(() => this.#forget(line)), underWay: 0, heardAt: 0 }
    return line
  }

  async #connect(forget: () => void): Promise<pg.Client> {
    const client = new pg.Client(this.#config)
    client.on('error', (error: Error) => {
      forget()
      this.#options.onError(error)
    })
    client.on('end', forget)
    try {
      await client.connect()
      return client
    } catch (error) {
      forget()
      throw error
    }
  }

  async close(): Promise<void> {
    const lines = [this.#line, this.#left].filter((line) => line !== undefined)
    this.#line = undefined
    this.#left = undefined
    await Promise.all(lines.map(endLine))
  }
}

async function endLine(line: Line): Promise<void> {
  const client = await line.client.catch(() => undefined)
  if (client === undefined) return
  // On a silent connection the goodbye would last for ever.
  const cutOff = setTimeout(() => destroy(client), LONGEST_GOODBYE_MS)
  await client.end()
  clearTimeout(cutOff)
}
