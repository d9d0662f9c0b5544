// Endings of payouts that turned out to be none: what the partner was told, and when that was taken back.
import type { PayoutStatus } from '@kestrel/contract'

import type { Scope } from '../core/scope.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface UndoneEnding {
  readonly status: PayoutStatus
  /** Whether it had arrived before it ended. */
  readonly hadCompleted: boolean
  readonly failureReason: string | null
  readonly endedAt: Date
  readonly undoneAt: Date
}

const INSERT = statement(
  'insert_undone_ending',
  `insert into undone_endings (partner_id, environment, payout_id, nth, status, had_completed, failure_reason, ended_at, undone_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

/** Comes before the change of the payout: without this trace the database refuses that. */
export function insertUndoneEnding(
  tx: Tx,
  scope: Scope,
  { payoutId, nth, ending }: { payoutId: string; nth: number; ending: UndoneEnding },
): void {
  const { status, hadCompleted, failureReason, endedAt, undoneAt } = ending
  const { partnerId, environment } = scope
  tx.defer(INSERT, [partnerId, environment, payoutId, nth, status, hadCompleted, failureReason, endedAt, undoneAt])
}

const LIST = statement(
  'list_undone_endings',
  `select status, had_completed as "hadCompleted", failure_reason as "failureReason", ended_at as "endedAt", undone_at as "undoneAt"
     from undone_endings where partner_id = $1 and environment = $2 and payout_id = $3 order by nth`,
)

export function listUndoneEndings(db: Db, scope: Scope, payoutId: string): Promise<UndoneEnding[]> {
  return db.query<UndoneEnding>(LIST, [scope.partnerId, scope.environment, payoutId])
}
