// One connection shared by many callers: each sends its statement at once, and the answers come back in order. It is
// made when first needed, and again after it broke; only what was under way then fails.
import pg from 'pg'

import { isLostConnection } from '../core/outage.ts'
import { inOneWrite } from './in-one-write.ts'
import { asSent } from './session-settings.ts'
import { destroy, unlessSilent } from './silence.ts'
import type { Db, SqlStatement } from './sql.ts'

export interface PipelineOptions {
  readonly isPooled: boolean
  /** An answer that takes longer counts as lost. */
  readonly limitMs: number
  readonly onError: (error: Error) => void
  /** Called when the connection to the database was lost. */
  readonly onDistrust: () => void
}

const LONGEST_GOODBYE_MS = 1_000

export class PipelinedConnection implements Db {
  readonly #config: pg.ClientConfig
  readonly #options: PipelineOptions
  #client: Promise<pg.Client> | undefined
  #underWay = 0

  constructor(config: pg.ClientConfig, options: PipelineOptions) {
    this.#config = config
    this.#options = options
  }

  async query<Row>(sql: SqlStatement, values: readonly unknown[] = []): Promise<Row[]> {
    const connection = (this.#client ??= this.#open())
    this.#underWay++
    try {
      const client = await connection
      // A single caller is not kept waiting for others that do not come.
      if (this.#underWay > 1) inOneWrite(client)
      const reply = client.query(asSent({ ...sql, values: [...values] }, this.#options.isPooled))
      return (await unlessSilent(client, this.#options.limitMs, reply)).rows as Row[]
    } catch (error) {
      // A connection that is being cut tells its queries before it ends: no other caller should be sent to it.
      if (isLostConnection(error)) {
        this.#options.onDistrust()
        if (this.#client === connection) {
          this.#client = undefined
          connection.then((client) => client.end()).catch(() => undefined)
        }
      }
      throw error
    } finally {
      this.#underWay--
    }
  }

  /**
   * The connection that is being made. It is forgotten when it breaks, and only it: another may have taken its place.
   */
  #open(): Promise<pg.Client> {
    const opening = this.#connect(() => {
      if (this.#client === opening) this.#client = undefined
    })
    return opening
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
    const client = await this.#client?.catch(() => undefined)
    this.#client = undefined
    if (client === undefined) return
    // On a silent connection the goodbye would last for ever.
    const cutOff = setTimeout(() => destroy(client), LONGEST_GOODBYE_MS)
    await client.end()
    clearTimeout(cutOff)
  }
}
