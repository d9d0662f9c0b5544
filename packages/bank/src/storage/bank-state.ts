// The single row that the whole bank shares: its rate, its clock's offset, its salt.
import { assert } from '../core/assert.ts'
import { type Rate, parseRate } from '../core/rate.ts'
import { OPEN_EXCESS_WALLET } from './migrations/0009-known-excess-wallet.ts'
import type { Db, Tx } from './sql.ts'

export interface BankIdentity {
  readonly developerId: string
  readonly salt: Buffer
}

export async function readIdentity(db: Db): Promise<BankIdentity> {
  const [row] = await db.query<BankIdentity>('select developer_id as "developerId", salt from bank_state')
  assert(row !== undefined, 'the bank has a state since its first migration')
  return row
}

/** In milliseconds. A number holds thousands of years of them exactly. */
export async function readClockOffset(db: Db): Promise<number> {
  const [row] = await db.query<{ offset: bigint }>('select clock_offset_ms as offset from bank_state')
  return Number(row?.offset ?? 0n)
}

export async function advanceClock(tx: Tx, milliseconds: number): Promise<number> {
  const [row] = await tx.query<{ offset: bigint }>(
    'update bank_state set clock_offset_ms = clock_offset_ms + $1 returning clock_offset_ms as offset',
    [milliseconds],
  )
  return Number(row?.offset ?? 0n)
}

export async function readRate(db: Db): Promise<Rate> {
  const [row] = await db.query<{ rate: string }>('select rate from bank_state')
  const rate = parseRate(row?.rate ?? '')
  assert(rate !== null, 'the database keeps nothing but rates as a rate')
  return rate
}

export async function setRate(tx: Tx, rate: Rate): Promise<void> {
  await tx.query('update bank_state set rate = $1', [rate.text])
}

/** Forgets everything but who the bank is. For tests only. */
export async function wipeBank(tx: Tx): Promise<void> {
  await tx.query(`select set_config('bank.wiping', 'yes', true)`)
  await tx.query(`truncate customers, kyc_links, idempotency_keys, wallets, wallet_movements, virtual_accounts,
    bank_deposits, virtual_account_events, liquidation_addresses, drains, external_accounts, transfers, top_ups, webhooks, events,
    deliveries, delivery_logs, endorsements restart identity`)
  await tx.query(`update bank_state set clock_offset_ms = default, rate = default, smallest_pence = default,
    deposits_shown_in = default, refunds_return = default, amount_shows = default, not_enabled = default`)
  await tx.query(OPEN_EXCESS_WALLET)
}
