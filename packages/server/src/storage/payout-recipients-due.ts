// Payouts whose marks are still to be made, because they are older than the marks.
import type { Environment } from '@kestrel/contract'

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
     delete from payout_recipients_due where (partner_id, environment, payout_id) in (
       select partner_id, environment, payout_id from payout_recipients_due
        order by partner_id, environment, payout_id limit $1 for update skip locked)
     returning partner_id, environment, payout_id)
   select p.partner_id as "partnerId", p.environment, p.id, p.recipient_sealed as "recipientSealed"
     from taken join payouts p on (p.partner_id, p.environment, p.id) = (taken.partner_id, taken.environment, taken.payout_id)`,
)

/** Off the list, for good if the transaction commits. */
export function takeUnmarkedPayouts(tx: Tx, most: number): Promise<UnmarkedPayout[]> {
  return tx.query<UnmarkedPayout>(TAKE, [most])
}

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

export function markPayouts(
  tx: Tx,
  marked: readonly { payout: UnmarkedPayout; name: Buffer; account: Buffer }[],
): void {
  tx.defer(MARK, [
    marked.map(({ payout }) => payout.partnerId),
    marked.map(({ payout }) => payout.environment),
    marked.map(({ payout }) => payout.id),
    marked.map(({ name }) => name),
    marked.map(({ account }) => account),
  ])
}
