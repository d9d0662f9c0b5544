// One connection shared by many callers: each sends its statement at once and the answers come back in order.
// It is made when first needed and made anew after it broke; what was under way then fails, and nothing else does.
import pg from 'pg'

import type { Db, Statement } from './sql.ts'

export class PipelinedConnection implements Db {
  readonly #config: pg.ClientConfig
  readonly #onError: (error: Error) => void
  #client: Promise<pg.Client> | undefined

  constructor(config: pg.ClientConfig, onError: (error: Error) => void) {
    this.#config = config
    this.#onError = onError
  }

  async query<Row>(sql: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const client = await (this.#client ??= this.#connect())
    return (await client.query({ ...sql, values: [...values] })).rows as Row[]
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#config)
    const forget = () => {
      this.#client = undefined
    }
    client.on('error', (error: Error) => {
      forget()
      this.#onError(error)
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
    await client?.end()
  }
}
