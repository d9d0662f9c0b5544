// Whether there is anything to do, for a worker at rest: one question instead of one per job.
import { UNMAILED } from './invoice-mails.ts'
import { WAITING_BANK_EVENTS } from './bank-events.ts'
import { CONNECTABLE } from './connecting.ts'
import { isFreeToFollow, isLive } from './payout-follow-ups.ts'
import { type Db, statement } from './sql.ts'
import { BUSY_ENDPOINTS } from './webhook-deliveries.ts'

export interface Work {
  readonly payouts: boolean
  readonly bankEvents: boolean
  readonly wallets: boolean
  readonly webhooks: boolean
  readonly activity: boolean
  readonly invoices: boolean
}

// The first row in the order of an index, and not `exists`: with that PostgreSQL may read all rows instead.
const isThere = (rows: string): string => `(select true ${rows} limit 1) is true`

const SOON = `$1::timestamptz + $2::int * interval '1 millisecond'`
const isSoonDue = (environment: 'live' | 'sandbox'): string =>
  isThere(`from payout_follow_ups where ${isLive('environment')} = ${isLive(`'${environment}'::environment`)}
    and next_check_at <= ${SOON} and ${isFreeToFollow('$1', SOON)} order by next_check_at`)

// Each is true wherever the job’s own statement would find something; that one decides.
const LOOK = statement(
  'look_for_work',
  `select ${isSoonDue('live')} or ${isSoonDue('sandbox')} as payouts,
          ${isThere(`from bank_events where ${WAITING_BANK_EVENTS('$1')} order by environment, attempts, received_at`)} as "bankEvents",
          ${isThere(`from wallets w join partners p on p.id = w.partner_id
            where p.status <> 'closed' and (w.connect_at is null or w.connect_at <= $1) and w.virtual_account_ref is null
              and (w.wallet_ref is not null or ${CONNECTABLE('w.environment')})`)} as wallets,
          ${isThere(BUSY_ENDPOINTS)} as webhooks,
          ${isThere('from activity_waiting')} or ${isThere('from activity_unsealed')} or ${isThere('from audit_backfills')} as activity,
          ${isThere(`from invoices where ${UNMAILED}`)} as invoices`,
)

/** Of everybody. Payouts that become due within some milliseconds count as well. */
export async function lookForWork(db: Db, now: Date, payoutsWithinMs: number): Promise<Work> {
  const [work] = await db.query<Work>(LOOK, [now, payoutsWithinMs])
  return work!
}
