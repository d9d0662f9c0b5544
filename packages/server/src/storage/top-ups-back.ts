// What the operator had added to payouts that came to nothing: the bank gives it back into the operator's own wallet.
import type { Environment } from '@kestrel/contract'

import type { MicroUsdc } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import type { PayoutTopUp } from './payout-top-ups.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface AddedInVain extends Scope {
  readonly payoutId: string
  /** All that was added to the payout. */
  readonly amount: MicroUsdc
  readonly looks: number
  readonly nextLookAt: Date | null
}

/** How the operator names, in `excess_movements`, what came back of a payout. */
const BY_HAND = 'top-up-back:'

// A refund that brought more than was sent has brought what was added, into the partner's wallet.
const LIST = statement(
  'added_in_vain',
  `select t.partner_id as "partnerId", t.environment, t.payout_id as "payoutId", sum(t.amount_micro)::bigint as amount,
          max(t.looks) as looks, max(t.next_look_at) as "nextLookAt"
     from payout_top_ups t
     cross join lateral (
       select refund_state from payouts
        where partner_id = t.partner_id and environment = t.environment and id = t.payout_id limit 1) p
    where t.environment = $1 and t.added_at is not null and t.returned_at is null and p.refund_state = 'done'
      and not exists (select from excess_movements m
                       where m.environment = t.environment and m.reference = '${BY_HAND}' || t.payout_id)
      and not exists (select from refund_checks c
                       where c.partner_id = t.partner_id and c.environment = t.environment and c.payout_id = t.payout_id
                         and c.came_back_micro > c.sent_micro)
    group by t.partner_id, t.environment, t.payout_id order by t.payout_id`,
)

/** Payouts that ended without what was added to them, as far as nobody knows that it is back. */
export function listAddedInVain(db: Db, environment: Environment): Promise<AddedInVain[]> {
  return db.query<AddedInVain>(LIST, [environment])
}

const KEEP = statement(
  'keep_top_ups_back',
  `update payout_top_ups set returned_at = $4
    where partner_id = $1 and environment = $2 and payout_id = $3 and added_at is not null and returned_at is null
      and not exists (select from excess_movements m
                       where m.environment = $2 and m.reference = '${BY_HAND}' || $3::uuid)
   returning nth, amount_micro as amount`,
)

export type KeptBack = Pick<PayoutTopUp, 'nth' | 'amount'>

/** Returns what is back; nothing when that is written already, by whomever. */
export function keepTopUpsBack(tx: Tx, scope: Scope, payoutId: string, at: Date): Promise<KeptBack[]> {
  return tx.query<KeptBack>(KEEP, [scope.partnerId, scope.environment, payoutId, at])
}

const LATER = statement(
  'look_for_top_ups_later',
  `update payout_top_ups set looks = looks + 1, next_look_at = $4
    where partner_id = $1 and environment = $2 and payout_id = $3 and returned_at is null`,
)

export function lookForTopUpsLater(tx: Tx, { partnerId, environment, payoutId }: AddedInVain, at: Date): void {
  tx.defer(LATER, [partnerId, environment, payoutId, at])
}

const IS_BACK = statement(
  'is_top_up_back',
  `select 1 as found from payout_top_ups
    where environment = $1 and '${BY_HAND}' || payout_id = $2 and added_at is not null
   having count(*) > 0 and count(*) = count(returned_at)`,
)

/** Whether a reference of the operator's names what was booked by itself, and nothing that is still missing. */
export async function isTopUpBack(tx: Tx, environment: Environment, reference: string): Promise<boolean> {
  return (await tx.query(IS_BACK, [environment, reference])).length > 0
}
