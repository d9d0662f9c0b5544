// What a month of a sandbox would be charged for, from the sums that are kept: sandbox itself has no charges.
import type { LondonDay } from '../core/london-day.ts'
import { type Month, firstDay, londonMidnight, nextMonth } from '../core/london-month.ts'
import type { Pence } from '../core/money.ts'
import { type Db, statement } from './sql.ts'

export interface RehearsedMonth {
  readonly completed: bigint
  readonly feeOnInvoice: Pence
  /** How many completed on each day of London; days without any are left out. */
  readonly days: readonly { readonly day: LondonDay; readonly quantity: bigint }[]
  /** How many came back after they had completed, by the plan of the day of their creation: 0 and 1 are the first. */
  readonly cameBack: readonly { readonly plan: number; readonly quantity: bigint }[]
}

// No sum tells when the money of a returned payout came back. What did not arrive is little and has an index of its own
// (`payouts_ended`): so many are looked through in a tenth of a second or two.
const MOST_LOOKED_THROUGH = 100_000

// One statement, so that its parts are from one moment.
const READ = statement(
  'rehearse_month',
  `select 'fees' as part, null::date as day, 0 as plan, completed as quantity, fee_on_invoice_pence as fees
     from usage_months where partner_id = $1 and environment = 'sandbox' and month = $2::date
   union all
   select 'day', day, 0, sum(payouts)::bigint, 0 from payout_days
    where partner_id = $1 and environment = 'sandbox' and counted_by = 'completed' and day >= $2::date and day < $3::date
    group by day having sum(payouts) > 0
   union all
   select 'back', null, width_bucket(created_at, $6::timestamptz[]), count(*), 0
     from (select created_at, completed_at, refunded_at from payouts
            where partner_id = $1 and environment = 'sandbox' and ended_at is not null and created_at < $5
            order by created_at desc, id desc limit ${MOST_LOOKED_THROUGH}) ended
    where completed_at is not null and refunded_at >= $4 and refunded_at < $5
    group by 3`,
)

type Row = { readonly plan: number; readonly quantity: bigint } & (
  | { readonly part: 'fees'; readonly fees: Pence }
  | { readonly part: 'day'; readonly day: LondonDay }
  | { readonly part: 'back' }
)

/** `plansFrom` are the moments from which the partner's plans are valid, the oldest first. */
export async function readRehearsedMonth(
  db: Db,
  { partnerId, month, plansFrom }: { partnerId: string; month: Month; plansFrom: readonly Date[] },
): Promise<RehearsedMonth> {
  const next = nextMonth(month)
  const values = [partnerId, firstDay(month), firstDay(next), londonMidnight(month), londonMidnight(next), plansFrom]
  const rows = await db.query<Row>(READ, values)
  const fees = rows.find((row) => row.part === 'fees')
  return {
    completed: fees?.quantity ?? 0n,
    feeOnInvoice: fees?.fees ?? (0n as Pence),
    days: rows.filter((row) => row.part === 'day'),
    cameBack: rows.filter((row) => row.part === 'back'),
  }
}
