// What the operator adds to payouts that lack money at the bank.
import type { Environment } from '@kestrel/contract'

import type { MicroUsdc } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface PayoutTopUp {
  readonly nth: number
  readonly transferRef: string
  readonly amount: MicroUsdc
  readonly askedAt: Date
  readonly addedAt: Date | null
  readonly refusedAt: Date | null
}

const LAST = statement(
  'last_top_up',
  `select nth, transfer_ref as "transferRef", amount_micro as amount, asked_at as "askedAt", added_at as "addedAt",
          refused_at as "refusedAt"
     from payout_top_ups where partner_id = $1 and environment = $2 and payout_id = $3 order by nth desc limit 1`,
)

/** The payout is locked by the caller. */
export async function lastTopUp(tx: Tx, scope: Scope, payoutId: string): Promise<PayoutTopUp | null> {
  return (await tx.query<PayoutTopUp>(LAST, [scope.partnerId, scope.environment, payoutId]))[0] ?? null
}

const BEGIN = statement(
  'begin_top_up',
  `with begun as (
     insert into payout_top_ups (partner_id, environment, payout_id, nth, transfer_ref, amount_micro, asked_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning amount_micro)
   update payouts set topping_up_micro = begun.amount_micro from begun
    where partner_id = $1 and environment = $2 and id = $3`,
)

export function beginTopUp(
  tx: Tx,
  scope: Scope,
  payoutId: string,
  topUp: Omit<PayoutTopUp, 'addedAt' | 'refusedAt'>,
): void {
  const { nth, transferRef, amount, askedAt } = topUp
  tx.defer(BEGIN, [scope.partnerId, scope.environment, payoutId, nth, transferRef, amount, askedAt])
}

const REFUSED = statement(
  'top_up_refused',
  `with refused as (
     update payout_top_ups set refused_at = $5
      where partner_id = $1 and environment = $2 and payout_id = $3 and nth = $4 and added_at is null
        and refused_at is null
     returning 1)
   update payouts set topping_up_micro = null from refused
    where partner_id = $1 and environment = $2 and id = $3`,
)

export function refuseTopUp(
  tx: Tx,
  scope: Scope,
  { payoutId, nth, at }: { payoutId: string; nth: number; at: Date },
): void {
  tx.defer(REFUSED, [scope.partnerId, scope.environment, payoutId, nth, at])
}

const ADDED = statement(
  'top_up_added',
  `with added as (
     update payout_top_ups set added_at = $5, refused_at = null
      where partner_id = $1 and environment = $2 and payout_id = $3 and nth = $4 and added_at is null
     returning amount_micro)
   update payouts set topped_up_micro = topped_up_micro + added.amount_micro,
          topping_up_micro = (
            select amount_micro from payout_top_ups
             where partner_id = $1 and environment = $2 and payout_id = $3 and nth <> $4 and added_at is null
               and refused_at is null)
     from added
    where partner_id = $1 and environment = $2 and id = $3 returning added.amount_micro as amount`,
)

/** Returns what was added, also if it was taken as refused; null when that is written already. */
export async function keepAdded(
  tx: Tx,
  scope: Scope,
  { payoutId, nth, at }: { payoutId: string; nth: number; at: Date },
): Promise<MicroUsdc | null> {
  const rows = await tx.query<{ amount: MicroUsdc }>(ADDED, [scope.partnerId, scope.environment, payoutId, nth, at])
  return rows[0]?.amount ?? null
}

/** An addition that the bank has not answered. */
export interface OpenTopUp extends Pick<PayoutTopUp, 'nth' | 'amount' | 'askedAt'> {
  readonly payoutId: string
}

const OPEN = statement(
  'open_top_ups',
  `select payout_id as "payoutId", nth, amount_micro as amount, asked_at as "askedAt" from payout_top_ups
    where environment = $1 and added_at is null and refused_at is null order by payout_id`,
)

/** Of all partners: they are paid from one wallet. */
export function listOpenTopUps(db: Db, environment: Environment): Promise<OpenTopUp[]> {
  return db.query<OpenTopUp>(OPEN, [environment])
}
