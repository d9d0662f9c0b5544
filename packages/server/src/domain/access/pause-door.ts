// Stopping payouts needs nothing but an admin; letting live ones go out again is confirmed by a code.
import type { Scope } from '../../core/scope.ts'
import { type Pause, findPause } from '../../storage/payout-pause.ts'
import type { Deps } from '../deps.ts'
import type { Door } from './doors.ts'

export interface JudgedPause {
  /** Null in sandbox, and where nothing is paused. The code fits this pause and no later one. */
  readonly door: Door | null
  /** The pause that was seen: only this one is undone (`resumePayouts`). */
  readonly pause: Pause | null
}

export async function judgeResuming(deps: Pick<Deps, 'db'>, scope: Scope): Promise<JudgedPause> {
  const pause = await findPause(deps.db, scope)
  return { door: pause === null || scope.environment === 'sandbox' ? null : doorFor(scope, pause), pause }
}

function doorFor({ environment }: Scope, { pausedAt, pausedBy }: Pause): Door {
  return {
    action: 'payouts.resume',
    exactly: [environment, pausedAt.toISOString()],
    title: 'Let live payouts go out again',
    facts: [
      ['Paused since', pausedAt.toISOString()],
      ['Paused by', pausedBy === 'operator' ? 'the operator of this service' : pausedBy],
    ],
  }
}
