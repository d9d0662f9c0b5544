// Payouts that still need their recipient marks, because they are older than the marks.
import type { Environment } from '@kestrel/contract'

import { LOWEST_ID } from '../core/ids.ts'
import { type Tx, statement } from './sql.ts'

export interface UnmarkedPayout {
  readonly partnerId: string
  readonly environment: Environment
  readonly id: string
  readonly recipientSealed: Buffer
}

const TAKE = statement(
  'take_unmarked_payouts',
  `with taken as (
     select partner_id, environment, payout_id from payout_recipients_due
      where (partner_id, environment, payout_id) > ($2, $3, $4)
      order by partner_id, environment, payout_id limit $1 for update skip locked)
   select p.partner_id as "partnerId", p.environment, p.id, p.recipient_sealed as "recipientSealed"
     from taken join payouts p on (p.partner_id, p.environment, p.id) = (taken.partner_id, taken.environment, taken.payout_id)
    order by p.partner_id, p.environment, p.id`,
)

/** Where a pass over the list begins. */
export const BEGINNING_OF_UNMARKED = { partnerId: LOWEST_ID, environment: 'sandbox', id: LOWEST_ID } as const

/** The next payouts, for the first worker that asks. They stay on the list until they are marked. */
export function takeUnmarkedPayouts(
  tx: Tx,
  after: Pick<UnmarkedPayout, 'partnerId' | 'environment' | 'id'>,
  most: number,
): Promise<UnmarkedPayout[]> {
  return tx.query<UnmarkedPayout>(TAKE, [most, after.partnerId, after.environment, after.id])
}

const DONE = statement(
  'forget_marked_payouts',
  `delete from payout_recipients_due where (partner_id, environment, payout_id) in (
     select * from unnest($1::uuid[], $2::environment[], $3::uuid[]))`,
)

const MARK = statement(
  'mark_old_payouts',
  `insert into payout_recipients (partner_id, environment, payout_id, name_mark, account_mark, amount_pence, created_at)
   select p.partner_id, p.environment, p.id, item.name_mark, item.account_mark, p.amount_pence, p.created_at
     from unnest($1::uuid[], $2::text[], $3::uuid[], $4::bytea[], $5::bytea[])
            as item (partner_id, environment, id, name_mark, account_mark)
     join payouts p on p.partner_id = item.partner_id and p.environment = item.environment::environment and p.id = item.id
   on conflict (partner_id, environment, payout_id) do update set
     name_mark = excluded.name_mark, account_mark = excluded.account_mark`,
)

/** Marks them, and takes them off the list. */
export function markPayouts(
  tx: Tx,
  marked: readonly { payout: UnmarkedPayout; name: Buffer; account: Buffer }[],
): void {
  const keys = [
    marked.map(({ payout }) => payout.partnerId),
    marked.map(({ payout }) => payout.environment),
    marked.map(({ payout }) => payout.id),
  ]
  tx.defer(DONE, keys)
  tx.defer(MARK, [...keys, marked.map(({ name }) => name), marked.map(({ account }) => account)])
}
