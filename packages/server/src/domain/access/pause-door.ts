// Stopping payouts needs nothing but an admin; letting live ones go out again is confirmed by a code.
import type { Scope } from '../../core/scope.ts'
import { findPause } from '../../storage/payout-pause.ts'
import type { Deps } from '../deps.ts'
import type { Door } from './doors.ts'

/** Null in sandbox, and where nothing is paused. The code fits this pause and no later one. */
export async function doorToResuming(deps: Pick<Deps, 'db'>, scope: Scope): Promise<Door | null> {
  if (scope.environment === 'sandbox') return null
  const pause = await findPause(deps.db, scope)
  if (pause === null) return null
  return {
    action: 'payouts.resume',
    exactly: [scope.environment, pause.pausedAt.toISOString()],
    title: 'Let live payouts go out again',
    facts: [
      ['Paused since', pause.pausedAt.toISOString()],
      ['Paused by', pause.pausedBy === 'operator' ? 'the operator of this service' : pause.pausedBy],
    ],
  }
}
