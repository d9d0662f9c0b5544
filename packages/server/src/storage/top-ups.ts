// Everything that was ever put into a wallet: the bank's deposits, the float that it opened with, the operator's
// credits. The statement and an invoice's summary add up the same entries.
import type { MicroUsdc } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import { type Db, statement } from './sql.ts'

export interface TopUpRow {
  /** The deposit's id at the bank, or the entry's id. */
  readonly ref: string
  readonly source: 'bank' | 'chain' | 'operator'
  readonly amount: MicroUsdc
  readonly at: Date
  readonly note: string | null
}

// Older deposits do not name their entry; they are matched by time and amount.
const LIST = statement(
  'list_top_ups',
  `select coalesce(d.deposit_ref, e.cause::text) as ref, coalesce(d.source, 'operator') as source, e.amount, e.at,
          case when d.deposit_ref is null then e.note end as note
     from (
       select * from ledger_entries
        where partner_id = $1 and environment = $2 and kind = 'credit' and to_account = 'available'
        order by at desc, id desc limit $3
     ) e
     left join deposits d on d.partner_id = $1 and d.environment = $2
       and (d.cause = e.cause or (d.cause is null and d.credited_at = e.at and d.amount_micro = e.amount))
    order by e.at desc, e.id desc`,
)

export function listTopUps(db: Db, scope: Scope, most: number): Promise<TopUpRow[]> {
  return db.query<TopUpRow>(LIST, [scope.partnerId, scope.environment, most])
}
