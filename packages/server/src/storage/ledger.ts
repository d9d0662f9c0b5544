import { assert } from '../core/assert.ts'
import { newId } from '../core/ids.ts'
import { type MicroUsdc, microUsdc } from '../core/money.ts'
import type { RailName } from '../core/rail-name.ts'
import type { Scope } from '../core/scope.ts'
import { itemColumns } from './item-columns.ts'
import { type Db, type SqlStatement, type Tx, statement } from './sql.ts'

/** The last three are the operator's: what is in its own wallet at the bank, what refunds brought otherwise, and the sum of both. */
export type UsdcAccount =
  | 'external'
  | 'available'
  | 'held'
  | 'in_transit'
  | 'paid_out'
  | 'fx_diff'
  | 'suspense'
  | 'excess_funds'
  | 'refund_diff'
  | 'operator_result'
export type EntryKind =
  | 'credit'
  | 'hold'
  | 'release'
  | 'capture'
  | 'settle'
  | 'refund'
  | 'adjust'
  | 'surplus'
  | 'top_up'
  | 'top_up_back'
  | 'refund_diff'

/** One movement out of one account into another. `cause`, `kind` and `seq` together are unique. */
export interface LedgerEntry {
  readonly cause: string
  readonly kind: EntryKind
  readonly seq: number
  readonly from: UsdcAccount
  readonly to: UsdcAccount
  readonly amount: MicroUsdc
}

export interface EntryOfWallet extends LedgerEntry {
  readonly partnerId: string
}

export const LOCK_AVAILABLE = statement(
  'lock_wallet',
  `select balance from ledger_accounts
    where partner_id = $1 and environment = $2 and account = 'available' for no key update`,
)
// A statement of its own: joined to the one above, it would show the rail as it was before the lock was waited for.
const RAIL_UNDER_LOCK = statement(
  'rail_under_lock',
  `select rail, paused_at is not null as "isPaused", has_spending_limits as "hasSpendingLimits"
     from wallets where partner_id = $1 and environment = $2`,
)

/**
 * Locks a wallet and returns what it can spend. Every caller that posts entries holds this lock first; it comes after
 * the locks on payouts, always (ARCHITECTURE.md, lock order).
 */
export async function lockWallet(tx: Tx, scope: Scope): Promise<MicroUsdc> {
  const [row] = await tx.query<{ balance: bigint }>(LOCK_AVAILABLE, [scope.partnerId, scope.environment])
  assert(row !== undefined, 'every partner has a wallet in both environments')
  return microUsdc(row.balance)
}

export interface LockedWallet {
  readonly available: MicroUsdc
  readonly rail: RailName
  /** Whether new payouts are refused. */
  readonly isPaused: boolean
  /** Whether any key or member has a spending limit, or had one. */
  readonly hasSpendingLimits: boolean
}

/** The same, with the rail that the wallet is on: neither it nor a pause can change while the lock is held. */
export async function lockWalletOnRail(tx: Tx, scope: Scope): Promise<LockedWallet> {
  const [available, [wallet]] = await Promise.all([
    lockWallet(tx, scope),
    tx.query<Omit<LockedWallet, 'available'>>(RAIL_UNDER_LOCK, [scope.partnerId, scope.environment]),
  ])
  assert(wallet !== undefined, 'every partner has a wallet in both environments')
  return { available, ...wallet }
}

// Always in this order: two orders would deadlock.
const LOCK_WALLETS = statement(
  'lock_wallets',
  `select balance from ledger_accounts
    where partner_id = any($1::uuid[]) and environment = $2 and account = 'available' order by partner_id for no key update`,
)
const WAIT_SHORTLY = statement('wait_shortly', `select set_config('lock_timeout', $1, true)`)
/** What waits for longer has done nothing: its connection serves others before it is tried again. */
export const LONGEST_WAIT_MS = 250

type Asked = readonly [SqlStatement, readonly unknown[]]

const SHORTLY: Asked = [WAIT_SHORTLY, [String(LONGEST_WAIT_MS)]]

/** The statements that lock the wallets of a batch, before all else that is done to them. */
export function lockShortly(environment: Scope['environment'], partnerIds: readonly string[]): Asked[] {
  return [SHORTLY, [LOCK_WALLETS, [partnerIds, environment]]]
}

/** For transactions that lock something else first. */
export function waitShortlyForLocks(tx: Tx): void {
  tx.defer(...SHORTLY)
}

/** Locks the wallets of a batch, after its payouts. */
export function lockWallets(tx: Tx, environment: Scope['environment'], partnerIds: readonly string[]): void {
  tx.defer(LOCK_WALLETS, [partnerIds, environment])
}

const AVAILABLE = statement(
  'available_balance',
  `select balance from ledger_accounts where partner_id = $1 and environment = $2 and account = 'available'`,
)

export async function readAvailable(db: Db, scope: Scope): Promise<MicroUsdc> {
  const [row] = await db.query<{ balance: bigint }>(AVAILABLE, [scope.partnerId, scope.environment])
  assert(row !== undefined, 'every partner has a wallet in both environments')
  return microUsdc(row.balance)
}

const AT_BANK = statement(
  'what_the_bank_holds',
  `select sum(balance)::bigint as balance from ledger_accounts
    where partner_id = $1 and environment = $2 and account in ('available', 'suspense', 'refund_diff')`,
)

/**
 * What this wallet should hold at the bank, without what is held for payouts. Money that the bank took beyond our
 * balance is in suspense, and what refunds brought less in refund_diff: neither is in the bank's wallet.
 */
export async function readAtBank(db: Db, scope: Scope): Promise<MicroUsdc> {
  const [row] = await db.query<{ balance: bigint }>(AT_BANK, [scope.partnerId, scope.environment])
  assert(row !== undefined, 'every partner has a wallet in both environments')
  return microUsdc(row.balance)
}

const SUSPENSE = statement(
  'suspense',
  `select balance from ledger_accounts where partner_id = $1 and environment = $2 and account = 'suspense'`,
)

/** Below zero: what the bank took beyond the wallet's balance and nobody has made good yet. */
export async function readSuspense(db: Db, scope: Scope): Promise<bigint> {
  const [row] = await db.query<{ balance: bigint }>(SUSPENSE, [scope.partnerId, scope.environment])
  assert(row !== undefined, 'every partner has a wallet in both environments')
  return row.balance
}

const PUT_IN = statement(
  'put_in',
  `select -balance as amount from ledger_accounts where partner_id = $1 and environment = $2 and account = 'external'`,
)

/** The sum of everything that ever came in from outside. */
export async function readPutIn(db: Db, scope: Scope): Promise<MicroUsdc> {
  const [row] = await db.query<{ amount: bigint }>(PUT_IN, [scope.partnerId, scope.environment])
  assert(row !== undefined, 'every partner has a wallet in both environments')
  return microUsdc(row.amount)
}

const WALLET_ACCOUNTS = statement(
  'wallet_accounts',
  `select max(balance) filter (where account = 'available') as available,
          max(balance) filter (where account = 'held') as held,
          max(balance) filter (where account = 'in_transit') as "inTransit"
     from ledger_accounts where partner_id = $1 and environment = $2`,
)

export interface WalletAccounts {
  readonly available: MicroUsdc
  readonly held: MicroUsdc
  readonly inTransit: MicroUsdc
}

export async function readWalletAccounts(db: Db, scope: Scope): Promise<WalletAccounts> {
  const [row] = await db.query<WalletAccounts>(WALLET_ACCOUNTS, [scope.partnerId, scope.environment])
  assert(row !== undefined, 'every partner has a wallet in both environments')
  return row
}

export interface PostedEntry extends Omit<LedgerEntry, 'cause'> {
  readonly at: Date
}

const OF_CAUSE = statement(
  'entries_of_cause',
  // By a range in the order of the index of causes: by equality any index that begins with the partner would do.
  `select kind, seq, amount, from_account as "from", to_account as "to", at from (
     select * from ledger_entries where partner_id = $1 and environment = $2 and cause >= $3 and cause <= $3
      order by cause, kind, seq limit 10000) entry
    order by id`,
)

/** One payout's entries, in the order in which they were posted. */
export function listEntriesOf(db: Db, scope: Scope, cause: string): Promise<PostedEntry[]> {
  return db.query<PostedEntry>(OF_CAUSE, [scope.partnerId, scope.environment, cause])
}

const ENTRIES = itemColumns<keyof EntryOfWallet>(4, {
  partnerId: ['partner_id', 'uuid'],
  cause: ['cause', 'uuid'],
  kind: ['kind', 'text'],
  seq: ['seq', 'int'],
  from: ['from_account', 'ledger_account'],
  to: ['to_account', 'ledger_account'],
  amount: ['amount', 'bigint'],
})

/** The clocks of two processes, and how long a movement waits for the wallet's lock, differ by less than this. */
const LONGEST_AHEAD = `interval '1 minute'`

/**
 * In SQL, under the wallet's lock: the last movement of what a wallet can spend that has a later time than `now`, though it was
 * written before. Null: none, or one of a clock that is wrong. What leaves the wallet has at least that time, so that no
 * statement shows money that leaves before it came.
 */
export const movedAfter = (now: string, partnerId: string, environment: string) => `(
  select e.at from ledger_entries e
   where e.partner_id = ${partnerId} and e.environment = ${environment}
     and (e.from_account = 'available' or e.to_account = 'available')
     and e.at > ${now} and e.at <= ${now} + ${LONGEST_AHEAD}
   order by e.at desc, e.id desc limit 1)`

const POST = statement(
  'post_entries',
  `insert into ledger_entries (environment, at, note, ${ENTRIES.names})
   select $1, case when item.from_account = 'available'
                   then greatest($2, ${movedAfter('$2::timestamptz', 'item.partner_id', '$1')}) else $2 end,
          $3, ${ENTRIES.selected} from ${ENTRIES.from}`,
)

/** Posts entries of one wallet; the caller holds its lock. */
export function postEntries(
  tx: Tx,
  scope: Scope,
  entries: readonly LedgerEntry[],
  at: Date,
  note: string | null = null,
): void {
  const { partnerId, environment } = scope
  const own = entries.map(({ cause, kind, seq, from, to, amount }) => {
    return { partnerId, cause, kind, seq, from, to, amount }
  })
  postEntriesOfWallets(tx, environment, own, at, note)
}

/** The same of several wallets of an environment. */
export function postEntriesOfWallets(
  tx: Tx,
  environment: Scope['environment'],
  entries: readonly EntryOfWallet[],
  at: Date,
  note: string | null = null,
): void {
  if (entries.length > 0) tx.defer(POST, [environment, at, note, ...ENTRIES.values(entries)])
}

const MAKE_GOOD = statement(
  'make_good',
  `insert into ledger_entries (partner_id, environment, cause, kind, seq, from_account, to_account, amount, at, note)
   select $1, $2, $3, 'adjust', 1, 'available', 'suspense', least(held.balance, -owed.balance), $4, $5
     from ledger_accounts held join ledger_accounts owed using (partner_id, environment)
    where partner_id = $1 and environment = $2 and held.account = 'available' and held.balance > 0
      and owed.account = 'suspense' and owed.balance < 0`,
)
const MADE_GOOD = 'What the bank had taken beyond the balance is made good'

/**
 * Settles what the wallet owes, from whatever has come in: the bank no longer holds that money. Call it after posting
 * the entries that brought money in, under the wallet's lock.
 */
export function makeGood(tx: Tx, scope: Scope, at: Date): void {
  tx.defer(MAKE_GOOD, [scope.partnerId, scope.environment, newId(at), at, MADE_GOOD])
}
