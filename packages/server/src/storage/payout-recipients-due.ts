// Payouts that still need their recipient marks, because they are older than the marks.
import type { Environment } from '@kestrel/contract'

import { LOWEST_ID } from '../core/ids.ts'
import { itemColumns } from './item-columns.ts'
import { PAYOUT_KEY } from './payouts.ts'
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
     from taken cross join lateral (
       select partner_id, environment, id, recipient_sealed from payouts
        where partner_id = taken.partner_id and environment = taken.environment and id = taken.payout_id limit 1) p
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

const DUE = itemColumns<keyof typeof PAYOUT_KEY>(1, PAYOUT_KEY)
const MARKED = itemColumns<keyof typeof PAYOUT_KEY | 'name' | 'account'>(1, {
  ...PAYOUT_KEY,
  name: ['name_mark', 'bytea'],
  account: ['account_mark', 'bytea'],
})

const DONE = statement(
  'forget_marked_payouts',
  `delete from payout_recipients_due where (partner_id, environment, payout_id) in (
     select ${DUE.selected} from ${DUE.from})`,
)

const MARK = statement(
  'mark_old_payouts',
  `insert into payout_recipients (partner_id, environment, payout_id, name_mark, account_mark, amount_pence, created_at)
   select p.partner_id, p.environment, p.id, item.name_mark, item.account_mark, p.amount_pence, p.created_at
     from ${MARKED.from} cross join lateral (
       select partner_id, environment, id, amount_pence, created_at from payouts
        where partner_id = item.partner_id and environment = item.environment and id = item.id limit 1) p
   on conflict (partner_id, environment, payout_id) do update set
     name_mark = excluded.name_mark, account_mark = excluded.account_mark`,
)

/** Marks them, and takes them off the list. */
export function markPayouts(
  tx: Tx,
  marked: readonly { payout: UnmarkedPayout; name: Buffer; account: Buffer }[],
): void {
  const items = marked.map(({ payout, name, account }) => ({ ...payout, name, account }))
  tx.defer(DONE, DUE.values(items))
  tx.defer(MARK, MARKED.values(items))
}
