// Our side of the comparison with the bank's books.
import type { Environment, PayoutStatus } from '@kestrel/contract'

import type { MicroUsdc, Pence } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface PayoutAtBank {
  readonly partnerId: string
  readonly id: string
  readonly status: PayoutStatus
  readonly refundState: 'none' | 'due' | 'done'
  readonly sendState: 'sending' | 'unknown' | 'accepted' | 'not_sent' | 'rejected'
  readonly providerRef: string | null
  readonly providerState: string | null
  readonly amount: Pence
  readonly walletSends: MicroUsdc
  /** What the bank says it took; null when that is what was reserved. */
  readonly bankSent: MicroUsdc | null
  readonly madeAt: Date
}

const COLUMNS = `partner_id as "partnerId", id, status, refund_state as "refundState", send_state as "sendState",
  provider_ref as "providerRef", provider_state as "providerState", amount_pence as amount,
  wallet_sends_micro as "walletSends", bank_sent_micro as "bankSent", created_at as "madeAt"`

const OF_IDS = statement(
  'payouts_at_bank_by_id',
  `select ${COLUMNS} from payouts where partner_id = $1 and environment = $2 and id = any($3)`,
)

/** How payouts of one wallet stand, as far as the bank is concerned. */
export function readPayoutsAtBank(db: Db, scope: Scope, ids: readonly string[]): Promise<PayoutAtBank[]> {
  return db.query<PayoutAtBank>(OF_IDS, [scope.partnerId, scope.environment, ids])
}

const PAYOUTS = statement(
  'payouts_at_bank',
  `select ${COLUMNS} from payouts
    where environment = $1 and rail <> 'simulated' and (partner_id, id) > ($2, $3)
    order by partner_id, id limit $4`,
)

/** Every payout that went, or may have gone, to the bank, in pages. */
export function listPayoutsAtBank(
  db: Db,
  environment: Environment,
  after: { partnerId: string; id: string },
  most: number,
): Promise<PayoutAtBank[]> {
  return db.query<PayoutAtBank>(PAYOUTS, [environment, after.partnerId, after.id, most])
}

// Whatever is in doubt is due for a look some time, so the index of what is due has it.
const IN_DOUBT = statement(
  'payouts_in_doubt',
  `select ${COLUMNS} from payouts
    where partner_id = $1 and environment = $2 and next_check_at is not null and rail <> 'simulated'
      and status = 'pending' and send_state in ('sending', 'unknown')`,
)

/** The payouts of a wallet of which nobody knows whether the bank has them. */
export function listInDoubt(db: Db, scope: Scope): Promise<PayoutAtBank[]> {
  return db.query<PayoutAtBank>(IN_DOUBT, [scope.partnerId, scope.environment])
}

const SAVE = statement(
  'save_reconciliation',
  'insert into reconciliations (id, started_at, finished_at, breaks) values ($1, $2, $3, $4)',
)

export async function saveReconciliation(
  db: Db,
  run: { id: string; startedAt: Date; finishedAt: Date; breaks: readonly unknown[] },
): Promise<void> {
  await db.query(SAVE, [run.id, run.startedAt, run.finishedAt, JSON.stringify(run.breaks)])
}

const LAST = statement('last_reconciliation', 'select max(started_at) as at from reconciliations')

export async function lastReconciliation(db: Db): Promise<Date | null> {
  return (await db.query<{ at: Date | null }>(LAST))[0]?.at ?? null
}

const THIN = statement(
  'thin_reconciliations',
  `delete from reconciliations where started_at < $2 or (started_at < $1 and breaks = '[]')`,
)

/** Runs that found nothing go sooner than those that did. */
export function thinReconciliations(tx: Tx, before: { cleanBefore: Date; brokenBefore: Date }): void {
  tx.defer(THIN, [before.cleanBefore, before.brokenBefore])
}
