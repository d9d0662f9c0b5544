// The sandbox bank as a test needs it: a real one, over real HTTP, with its control plane at hand.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import { type Clock, EXCESS_WALLET_ID, type RunningBank, startBank } from '@kestrel/bank'
import pg from 'pg'
import { pino } from 'pino'

import { createLogger } from '../../src/logging.ts'
import type { ProviderOptions } from '../../src/rail/provider/provider-client.ts'
import type { ControlOptions } from '../../src/rail/provider/sandbox-control-client.ts'
import { cloneBankDatabase } from './database.ts'
import { LOG_DIR } from './log-dir.ts'

export interface BankBooks {
  readonly transfers: readonly {
    readonly id: string
    readonly client_reference_id: string | null
    readonly state: string
    readonly amount: string
    readonly customer_id: string
    readonly external_account_id: string
  }[]
  readonly wallets: readonly {
    readonly id: string
    readonly customer_id: string
    readonly balance: string
    readonly balance_micro: string
  }[]
}

/** A request as the bank saw it. */
export interface SeenRequest {
  readonly method: string
  readonly route: string
  readonly status: number | null
  readonly idempotency_key: string | null
  readonly fault: string | null
}

export interface TestBank {
  readonly provider: ProviderOptions
  readonly controls: ControlOptions
  readonly url: string
  readonly databaseUrl: string
  control<T = unknown>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T>
  /** What the bank's own books say was really created, for everybody or for one of its customers. */
  books(customerId?: string): Promise<BankBooks>
  /** The last thousand requests, the newest first; a route is written like `POST /v0/transfers`. */
  requests(route?: string): Promise<readonly SeenRequest[]>
  /** Straight into the bank's own database: for what no API would ever do. */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** From now on a transfer that is not refused at once stays as it is until it is told to move, whatever time it is. */
  standStill(): Promise<void>
  close(): Promise<void>
}

/** A long deadline, for a machine that has much else to do; a test of a bank that hangs gives a shorter one. */
export async function startTestBank(options: { totalTimeoutMs?: number; bankClock?: Clock } = {}): Promise<TestBank> {
  const database = await cloneBankDatabase()
  const [apiKey, controlKey] = [`sk-test-${randomBytes(12).toString('hex')}`, randomBytes(12).toString('hex')]
  const log = createLogger({
    level: 'trace',
    destination: pino.destination({ dest: join(LOG_DIR, `bank-${process.pid}.log`), sync: true }),
  })
  const bank: RunningBank = await startBank({
    databaseUrl: database.url,
    host: '127.0.0.1',
    port: 0,
    apiKey,
    controlKey,
    log,
    ...(options.bankClock === undefined ? {} : { clock: options.bankClock }),
  })
  const control = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const reply = await fetch(`${bank.url}/_control${path}`, {
      method,
      headers: {
        authorization: `Bearer ${controlKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`)
    return (await reply.json()) as T
  }
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  // The bank's database is dropped under it when the test is over.
  pool.on('error', () => undefined)
  const query = async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
    (await pool.query<Row>(text, [...values])).rows
  return {
    url: bank.url,
    databaseUrl: database.url,
    controls: { url: bank.url, key: controlKey },
    provider: {
      baseUrl: `${bank.url}/v0`,
      apiKey,
      excess: { holderRef: EXCESS_WALLET_ID, walletRef: EXCESS_WALLET_ID },
      connectTimeoutMs: 2_000,
      totalTimeoutMs: options.totalTimeoutMs ?? 20_000,
    },
    control,
    books: (customerId) => {
      const of = customerId === undefined ? '' : `?${new URLSearchParams({ customer_id: customerId }).toString()}`
      return control<BankBooks>('GET', `/ledger${of}`)
    },
    requests: async (route) => {
      const wanted = new URLSearchParams({ limit: '1000', ...(route === undefined ? {} : { route }) })
      return (await control<{ data: SeenRequest[] }>('GET', `/requests?${wanted.toString()}`)).data
    },
    query,
    standStill: async () => {
      await query(`create function stand_still() returns trigger language plpgsql as
        $$ begin if new.state in ('awaiting_funds', 'pending') then new.due_at := null; end if; return new; end $$`)
      await query('create trigger stand_still before insert on transfers for each row execute function stand_still()')
    },
    close: async () => {
      await pool.end()
      await bank.close()
      await database.drop()
    },
  }
}
