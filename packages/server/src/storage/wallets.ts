// Where each partner's money lives, here and at the bank.
import type { Environment } from '@kestrel/contract'

import type { Pence } from '../core/money.ts'
import type { RailName } from '../core/rail-name.ts'
import type { Scope } from '../core/scope.ts'
import { type Database, type Db, type Tx, statement } from './sql.ts'

export interface Wallet {
  readonly rail: RailName
  readonly chain: string
  readonly address: string | null
  readonly holderRef: string | null
  readonly walletRef: string | null
  readonly depositAccount: DepositAccountColumn | null
  readonly smallestPayout: Pence
  readonly largestPayout: Pence
  /** Since when all payouts are paused, and by whom; both null while they go out. */
  readonly pausedAt: Date | null
  readonly pausedBy: string | null
  /** Whether any key or member has a spending limit, or had one. */
  readonly hasSpendingLimits: boolean
}

/** The stored bank details for top-ups. They are the partner's own, and no secret. */
export interface DepositAccountColumn {
  readonly accountName: string
  readonly bankName: string
  readonly sortCode: string
  readonly accountNumber: string
  readonly reference: string | null
}

/** The wallet's place at the bank; null until it is connected. */
export function bankAccountOf(
  wallet: Pick<Wallet, 'holderRef' | 'walletRef'> | null,
): { holderRef: string; walletRef: string } | null {
  if (wallet === null || wallet.holderRef === null || wallet.walletRef === null) return null
  return { holderRef: wallet.holderRef, walletRef: wallet.walletRef }
}

/** The columns of a wallet under the names that the program uses; `w` is the table's alias. */
export const WALLET_COLUMNS = `
  w.rail, w.chain, w.address, w.customer_ref as "holderRef", w.wallet_ref as "walletRef",
  w.deposit_account as "depositAccount", w.smallest_payout_pence as "smallestPayout",
  w.largest_payout_pence as "largestPayout", w.paused_at as "pausedAt", w.paused_by as "pausedBy",
  w.has_spending_limits as "hasSpendingLimits"`

const KEEP_RAIL = statement(
  'keep_rail',
  'insert into rails (name, environment) values ($1, $2) on conflict (name) do nothing',
)

/** A rail is known to the database from its first wallet on, and belongs to that environment for ever. */
function keepRail(tx: Tx, { environment }: Scope, rail: RailName): void {
  tx.defer(KEEP_RAIL, [rail, environment])
}

const OPEN_WALLET = statement(
  'open_wallet',
  'insert into wallets (partner_id, environment, rail, created_at) values ($1, $2, $3, $4)',
)
const OPEN_ACCOUNTS = statement(
  'open_ledger_accounts',
  `insert into ledger_accounts (partner_id, environment, account)
   select $1, $2, unnest(enum_range(null::ledger_account))`,
)

export function openWallet(tx: Tx, scope: Scope, rail: RailName, at: Date): void {
  keepRail(tx, scope, rail)
  tx.defer(OPEN_WALLET, [scope.partnerId, scope.environment, rail, at])
  tx.defer(OPEN_ACCOUNTS, [scope.partnerId, scope.environment])
}

const FIND = statement(
  'find_wallet',
  `select ${WALLET_COLUMNS} from wallets w where w.partner_id = $1 and w.environment = $2`,
)

export async function findWallet(db: Db, scope: Scope): Promise<Wallet | null> {
  return (await db.query<Wallet>(FIND, [scope.partnerId, scope.environment]))[0] ?? null
}

const SCOPES = statement(
  'scopes_of_holders',
  `select partner_id as "partnerId", customer_ref as "holderRef",
          wallet_ref is not null as "isConnected"
     from wallets where environment = $1 and customer_ref = any($2)`,
)

export interface HolderScope {
  readonly scope: Scope
  /** Whether the wallet is on the bank's rail. Until then the bank knows only the holder. */
  readonly isConnected: boolean
}

/** Maps the bank's ids of account holders to our scopes. */
export async function findScopes(
  db: Db,
  environment: Environment,
  holderRefs: readonly string[],
): Promise<ReadonlyMap<string, HolderScope>> {
  const rows = await db.query<{ partnerId: string; holderRef: string; isConnected: boolean }>(SCOPES, [
    environment,
    holderRefs,
  ])
  return new Map(
    rows.map(({ holderRef, partnerId, isConnected }) => [
      holderRef,
      { scope: { partnerId, environment }, isConnected },
    ]),
  )
}

const KEEP_HOLDER = statement(
  'keep_holder',
  `update wallets set customer_ref = $3 where partner_id = $1 and environment = $2 and customer_ref is null
   returning 1 as kept`,
)

/** False when another process has opened one meanwhile. */
export async function keepHolder(db: Pick<Database, 'inOneTrip'>, scope: Scope, holderRef: string): Promise<boolean> {
  return (await db.inOneTrip([[KEEP_HOLDER, [scope.partnerId, scope.environment, holderRef]]])).length === 1
}

const CONNECT = statement(
  'connect_wallet',
  `update wallets set rail = $3, chain = $4, address = $5, customer_ref = $6, wallet_ref = $7,
          virtual_account_ref = $8, deposit_account = $9, connected_at = $10,
          connect_tries = 0, connect_at = null, connect_trouble = null
    where partner_id = $1 and environment = $2 and wallet_ref is null returning 1 as connected`,
)

/** False when another process has connected it meanwhile. */
export async function connectWallet(
  tx: Tx,
  scope: Scope,
  at: {
    rail: RailName
    chain: string
    address: string
    holderRef: string
    walletRef: string
    depositAccountRef: string | null
    depositAccount: DepositAccountColumn | null
    now: Date
  },
): Promise<boolean> {
  keepRail(tx, scope, at.rail)
  const rows = await tx.query(CONNECT, [
    scope.partnerId,
    scope.environment,
    at.rail,
    at.chain,
    at.address,
    at.holderRef,
    at.walletRef,
    at.depositAccountRef,
    at.depositAccount === null ? null : JSON.stringify(at.depositAccount),
    at.now,
  ])
  return rows.length === 1
}

export interface ConnectedWallet extends Scope {
  readonly holderRef: string
  readonly walletRef: string
}

const CONNECTED = statement(
  'connected_wallets',
  `select partner_id as "partnerId", environment, customer_ref as "holderRef", wallet_ref as "walletRef"
     from wallets where environment = $1 and rail = $2 and wallet_ref is not null order by partner_id`,
)

/** The wallets at the bank of this rail. */
export function listConnectedWallets(
  db: Db,
  { environment, rail }: { environment: Environment; rail: RailName },
): Promise<ConnectedWallet[]> {
  return db.query<ConnectedWallet>(CONNECTED, [environment, rail])
}

const ELSEWHERE = statement(
  'wallets_elsewhere',
  `select environment, rail, count(*)::int as count from wallets
    where wallet_ref is not null and rail <> case environment when 'live' then $1 else $2 end
    group by environment, rail order by environment, rail`,
)

export interface WalletsElsewhere {
  readonly environment: Environment
  readonly rail: RailName
  readonly count: number
}

/** The wallets at another bank than their environment's. */
export function countWalletsElsewhere(
  db: Db,
  bankRails: Readonly<Record<Environment, RailName>>,
): Promise<WalletsElsewhere[]> {
  return db.query<WalletsElsewhere>(ELSEWHERE, [bankRails.live, bankRails.sandbox])
}

const NOT_OPEN = statement(
  'verified_without_wallet',
  `select p.slug from partners p join wallets w on w.partner_id = p.id and w.environment = 'live'
    where p.verification_status = 'approved' and p.status <> 'closed' and w.wallet_ref is null order by p.slug limit 50`,
)

/** The short names of verified partners without a wallet at the live bank. */
export async function listVerifiedWithoutWallet(db: Db): Promise<string[]> {
  return (await db.query<{ slug: string }>(NOT_OPEN)).map(({ slug }) => slug)
}
