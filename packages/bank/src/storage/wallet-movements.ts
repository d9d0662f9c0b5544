import type { MicroUsdc } from '../core/money.ts'
import { type Condition, readPage } from './page.ts'
import type { Db, Tx } from './sql.ts'
import type { Chain } from './wallets.ts'

export type MovementKind =
  | 'float'
  | 'deposit'
  | 'transfer'
  | 'refund'
  | 'adjustment'
  | 'surplus'
  | 'surplus_back'
  | 'top_up'
  | 'top_up_back'

export interface Movement {
  readonly walletId: string
  readonly kind: MovementKind
  /** Unique together with the kind. */
  readonly cause: string
  readonly amount: MicroUsdc
  readonly source?: 'bank' | 'onchain'
  readonly note?: string
}

/** The caller holds the wallets' locks. A balance that would go below zero fails the whole transaction. */
export function postMovements(tx: Tx, movements: readonly Movement[], at: Date): void {
  if (movements.length === 0) return
  tx.defer(
    `insert into wallet_movements (wallet_id, kind, cause, amount_micro, source, note, at)
     select *, $7::timestamptz
       from unnest($1::uuid[], $2::text[], $3::uuid[], $4::bigint[], $5::text[], $6::text[])`,
    [
      movements.map((movement) => movement.walletId),
      movements.map((movement) => movement.kind),
      movements.map((movement) => movement.cause),
      movements.map((movement) => movement.amount),
      movements.map((movement) => movement.source ?? null),
      movements.map((movement) => movement.note ?? null),
      at,
    ],
  )
}

/** The caller holds the wallet's lock. */
export async function hasMovement(tx: Tx, movement: Pick<Movement, 'walletId' | 'kind' | 'cause'>): Promise<boolean> {
  const { walletId, kind, cause } = movement
  const rows = await tx.query('select 1 from wallet_movements where wallet_id = $1 and kind = $2 and cause = $3', [
    walletId,
    kind,
    cause,
  ])
  return rows.length > 0
}

export interface HistoryEntry {
  readonly kind: MovementKind
  readonly amount: MicroUsdc
  readonly source: 'bank' | 'onchain' | null
  readonly at: Date
  readonly customerId: string | null
  readonly chain: Chain
}

export function listMovements(
  db: Db,
  walletId: string,
  filter: { limit: number; updatedAfter: Date | null; updatedBefore: Date | null },
): Promise<HistoryEntry[]> {
  const where: Condition[] = [
    { sql: 'm.wallet_id = ?', value: walletId },
    // What goes missing is shown nowhere.
    { sql: `not (m.kind = ? and m.amount_micro < 0)`, value: 'adjustment' },
  ]
  if (filter.updatedAfter !== null) where.push({ sql: 'm.at > ?', value: filter.updatedAfter })
  if (filter.updatedBefore !== null) where.push({ sql: 'm.at < ?', value: filter.updatedBefore })
  return readPage<HistoryEntry>(db, {
    select: 'm.kind, m.amount_micro as amount, m.source, m.at, w.customer_id as "customerId", w.chain',
    from: 'wallet_movements m join wallets w on w.id = m.wallet_id',
    alias: 'm',
    table: 'wallet_movements',
    where,
    page: { limit: filter.limit, startingAfter: null, endingBefore: null },
  })
}
