// Deposits that are not credited by themselves: the bank has undone them, or lists them a second time under another id.
import type { Environment } from '@kestrel/contract'

import { itemList } from './item-columns.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface LeftOut {
  readonly depositRef: string
  readonly reason: 'undone' | 'same_transaction'
  /** When the bank said so; null: it does not say. */
  readonly saidAt: Date | null
}

const REFS = itemList(2, 'ref', 'text')

const LOCK = statement(
  'lock_deposits',
  `select pg_advisory_xact_lock(hashtextextended($1::text || ' ' || ref, 0))
     from (select item.ref from ${REFS.from} order by item.ref) asked`,
)

/** Whoever credits a deposit and whoever leaves it out come one after the other. Before every other lock. */
export async function lockDeposits(tx: Tx, environment: Environment, refs: readonly string[]): Promise<void> {
  await tx.query(LOCK, [environment, REFS.value([...new Set(refs)])])
}

const FIND = statement(
  'deposits_left_out',
  `select deposit_ref as "depositRef", reason, said_at as "saidAt" from deposits_left_out
    where environment = $1 and deposit_ref = any($2)`,
)

export async function findLeftOut(
  db: Db,
  environment: Environment,
  refs: readonly string[],
): Promise<ReadonlyMap<string, LeftOut>> {
  if (refs.length === 0) return new Map()
  const rows = await db.query<LeftOut>(FIND, [environment, refs])
  return new Map(rows.map((row) => [row.depositRef, row]))
}

const KEEP = statement(
  'leave_out_deposit',
  `insert into deposits_left_out (environment, deposit_ref, reason, said_at, at) values ($1, $2, $3, $4, $5)
   on conflict (environment, deposit_ref) do update set said_at = greatest(deposits_left_out.said_at, excluded.said_at)
    where deposits_left_out.reason = 'undone'
      and (deposits_left_out.said_at is null or excluded.said_at > deposits_left_out.said_at)`,
)

/** What was undone several times was undone last when the bank said so last. */
export function leaveOut(tx: Tx, environment: Environment, { depositRef, reason, saidAt }: LeftOut, at: Date): void {
  tx.defer(KEEP, [environment, depositRef, reason, saidAt, at])
}
