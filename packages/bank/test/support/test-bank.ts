// A bank on a database of its own, reached over real sockets, as any other program would reach it.
import { type Logger, pino } from 'pino'
import pg from 'pg'
import { inject } from 'vitest'

import { type BankOptions, type Clock, type RunningBank, createBankDatabase, startBank } from '../../src/index.ts'

export const API_KEY = 'sk-test-only-for-tests'
export const CONTROL_KEY = 'control-only-for-tests'

let made = 0

export interface BankDatabase {
  readonly url: string
  drop(): Promise<void>
}

export async function aDatabase(): Promise<BankDatabase> {
  const admin = new URL(inject('databaseUrl'))
  admin.pathname = '/postgres'
  const database = `bank_${process.pid}_${made++}`
  const url = await createBankDatabase({ adminUrl: admin.href, database })
  return {
    url,
    drop: async () => {
      const client = new pg.Client({ connectionString: admin.href })
      await client.connect()
      await client.query(`drop database ${database} with (force)`)
      await client.end()
    },
  }
}

/** Everything that the bank logs, for the test that looks for secrets in it. */
export class LogBook {
  readonly lines: string[] = []
  readonly logger: Logger = pino({ level: 'trace' }, { write: (line: string) => void this.lines.push(line) })
}

export interface TestBank {
  readonly bank: RunningBank
  readonly url: string
  readonly database: BankDatabase
  readonly log: LogBook
  readonly clock: StillClock
  /** Closes the bank and throws its books away, unless they were given from outside. */
  close(): Promise<void>
}

/** Stands still: nothing happens by itself unless a test moves this clock or has the bank advance its own. */
export class StillClock implements Clock {
  #moment = Date.now()

  now(): Date {
    return new Date(this.#moment)
  }

  tick(milliseconds: number): void {
    this.#moment += milliseconds
  }
}

export const runningClock: Clock = { now: () => new Date() }

export async function aBank(
  options: Partial<Pick<BankOptions, 'settleAfterMs' | 'apiKey' | 'clock'>> & { database?: BankDatabase } = {},
): Promise<TestBank> {
  const { database: given, ...rest } = options
  const database = given ?? (await aDatabase())
  const log = new LogBook()
  const clock = new StillClock()
  const bank = await startBank({
    databaseUrl: database.url,
    host: '127.0.0.1',
    port: 0,
    apiKey: API_KEY,
    controlKey: CONTROL_KEY,
    log: log.logger,
    clock,
    ...rest,
  })
  return {
    bank,
    url: bank.url,
    database,
    log,
    clock,
    close: async () => {
      await bank.close()
      if (given === undefined) await database.drop()
    },
  }
}
