// The switch that stops all payouts of an account. Reserving reads it under the wallet's lock (reserve-new-payouts.ts).
import type { Scope } from '../core/scope.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface Pause {
  readonly pausedAt: Date
  /** As activity names them: a member's email, the start of a key, or `operator`. */
  readonly pausedBy: string
}

const FIND = statement(
  'find_payout_pause',
  `select paused_at as "pausedAt", paused_by as "pausedBy" from wallets
    where partner_id = $1 and environment = $2 and paused_at is not null`,
)

/** Null while payouts go out. */
export async function findPause(db: Db, scope: Scope): Promise<Pause | null> {
  return (await db.query<Pause>(FIND, [scope.partnerId, scope.environment]))[0] ?? null
}

const SET = statement(
  'set_payout_pause',
  'update wallets set paused_at = $3, paused_by = $4 where partner_id = $1 and environment = $2',
)

/** The caller holds the wallet's lock: who reserves a payout has either done so before, or sees it. */
export function setPause(tx: Tx, scope: Scope, pause: Pause | null): void {
  tx.defer(SET, [scope.partnerId, scope.environment, pause?.pausedAt ?? null, pause?.pausedBy ?? null])
}
