// What a refund has brought into the bank's wallet: asked for once per payout, until it is known.
import type { Environment } from '@kestrel/contract'

import type { MicroUsdc } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import { itemList } from './item-columns.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface RefundCheck {
  readonly payoutId: string
  /** What the bank took. */
  readonly sent: MicroUsdc
  /** Nothing of it can have come back before: when it was made, or its wallet connected, with clocks that differ. */
  readonly since: Date
  readonly refundedAt: Date
  readonly looks: number
}

const BACK = itemList(4, 'id', 'uuid')
const START = statement(
  'start_refund_checks',
  `insert into refund_checks (partner_id, environment, payout_id, sent_micro, refunded_at, next_look_at)
   select p.partner_id, p.environment, p.id, coalesce(p.bank_sent_micro, p.wallet_sends_micro), $3, $3
     from wallets w cross join ${BACK.from} cross join lateral (
       select * from payouts
        where partner_id = w.partner_id and environment = w.environment and id = item.id and rail = w.rail limit 1) p
    where w.partner_id = $1 and w.environment = $2 and w.wallet_ref is not null
   on conflict do nothing`,
)

/** For payouts whose money the bank says is back; those that did not leave a wallet at the bank are left out. */
export function startRefundChecks(tx: Tx, scope: Scope, payoutIds: readonly string[], at: Date): void {
  tx.defer(START, [scope.partnerId, scope.environment, at, BACK.value(payoutIds)])
}

const DUE = statement(
  'due_refund_checks',
  `select distinct partner_id as "partnerId", environment from refund_checks
    where environment = $1 and found_at is null and next_look_at <= $2 limit $3`,
)

/** The wallets that have to be looked at. */
export function listDueRefundChecks(db: Db, environment: Environment, now: Date, most: number): Promise<Scope[]> {
  return db.query<Scope>(DUE, [environment, now, most])
}

const OPEN = statement(
  'open_refund_checks',
  `select c.payout_id as "payoutId", c.sent_micro as sent, c.refunded_at as "refundedAt", c.looks,
          greatest(p.created_at - interval '5 minutes', w.connected_at) as since
     from refund_checks c
     join wallets w on w.partner_id = c.partner_id and w.environment = c.environment
     cross join lateral (
       select created_at from payouts where partner_id = $1 and environment = $2 and id = c.payout_id limit 1) p
    where c.partner_id = $1 and c.environment = $2 and c.found_at is null order by c.refunded_at, c.payout_id`,
)

export function listOpenRefundChecks(db: Db, scope: Scope): Promise<RefundCheck[]> {
  return db.query<RefundCheck>(OPEN, [scope.partnerId, scope.environment])
}

export interface Claimed {
  readonly amount: MicroUsdc
  /** Null: its moment at the bank is not known. */
  readonly at: Date | null
}

const CLAIMED = statement(
  'claimed_receipts',
  `select came_back_micro as amount, received_at as at from refund_checks
    where partner_id = $1 and environment = $2 and received_at >= $3
   union all
   select amount_micro, null from deposits
    where partner_id = $1 and environment = $2 and credited_at >= $3
   union all
   select amount_micro, null from deposits_not_credited
    where partner_id = $1 and environment = $2 and at >= $3
   union all
   select -m.amount_micro, null from excess_movements m
     join refund_checks c on m.reference = 'made-good:' || c.payout_id
    where c.partner_id = $1 and c.environment = $2 and m.environment = $2 and m.at >= $3 and m.amount_micro < 0`,
)

/**
 * What came into the wallet since a moment and is accounted for: refunds that were found, deposits, and what was made good.
 * Deposits that were left out too: if their money came, it is no refund.
 */
export function listClaimed(db: Db, scope: Scope, since: Date): Promise<Claimed[]> {
  return db.query<Claimed>(CLAIMED, [scope.partnerId, scope.environment, since])
}

const FOUND = statement(
  'refund_found',
  `update refund_checks set came_back_micro = $4, received_at = $5, found_at = $6
    where partner_id = $1 and environment = $2 and payout_id = $3 and found_at is null
   returning sent_micro as sent`,
)

/** Returns what the bank had taken; null when somebody has found it meanwhile. */
export async function keepFound(
  tx: Tx,
  scope: Scope,
  found: { payoutId: string; cameBack: MicroUsdc; receivedAt: Date | null; at: Date },
): Promise<MicroUsdc | null> {
  const values = [scope.partnerId, scope.environment, found.payoutId, found.cameBack, found.receivedAt, found.at]
  return (await tx.query<{ sent: MicroUsdc }>(FOUND, values))[0]?.sent ?? null
}

const OTHERS = statement(
  'other_refund_differences',
  `select c.sent_micro - coalesce(c.came_back_micro, 0) as missing, c.found_at is not null as "isFound" from refund_checks c
    where c.partner_id = $1 and c.environment = $2 and c.payout_id <> $3
      and (c.found_at is null or c.came_back_micro <> c.sent_micro)
      and not exists (select from excess_movements m
                       where m.environment = $2 and m.reference = 'made-good:' || c.payout_id)`,
)

/** What other refunds have not brought: those that were found, as booked and not made good; the others may be on their way. */
export function listOtherDifferences(
  tx: Tx,
  scope: Scope,
  payoutId: string,
): Promise<{ readonly missing: bigint; readonly isFound: boolean }[]> {
  return tx.query(OTHERS, [scope.partnerId, scope.environment, payoutId])
}

const LATER = statement(
  'look_for_refund_later',
  `update refund_checks set looks = looks + 1, next_look_at = $4
    where partner_id = $1 and environment = $2 and payout_id = any($3) and found_at is null`,
)

export function lookLater(tx: Tx, scope: Scope, payoutIds: readonly string[], at: Date): void {
  tx.defer(LATER, [scope.partnerId, scope.environment, payoutIds, at])
}
