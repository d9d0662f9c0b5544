// How far a business is on its way to live. Every tick comes from what really happened.
import type { GoLiveStepId } from '@kestrel/contract'

import { type GoLiveFacts, readGoLiveFacts } from '../../../storage/milestones.ts'
import type { ActivityRecorder } from '../../activity/activity-recorder.ts'
import { readLiveStanding } from './live-standing.ts'
import type { Deps } from '../../deps.ts'

type Business = Parameters<typeof readLiveStanding>[1] & { readonly id: string; readonly verificationStatus: string }

export interface GoLiveProgress {
  readonly id: GoLiveStepId
  readonly isDone: boolean
}

export async function readGoLive(
  deps: Deps & { activity: Pick<ActivityRecorder, 'flush'> },
  business: Business,
): Promise<GoLiveProgress[]> {
  // What somebody has just done is ticked at once.
  await deps.activity.flush()
  const [facts, standing] = await Promise.all([
    readGoLiveFacts(deps.db, business.id, deps.clock.now()),
    readLiveStanding(deps, business),
  ])
  const isVerified = business.verificationStatus === 'approved' && standing.isOpen
  return Object.entries(stepsOf(facts, isVerified)).map(([id, isDone]) => ({ id: id as GoLiveStepId, isDone }))
}

/** In the order in which they are usually done. */
function stepsOf(facts: GoLiveFacts, isVerified: boolean): Record<GoLiveStepId, boolean> {
  return {
    first_payout: facts.hasPaidInSandbox,
    failure_handled: facts.hasReadFailure,
    replay_seen: facts.hasSeenReplay,
    webhook_verified: facts.hasWebhook,
    two_admins: facts.admins > 1,
    verification: isVerified,
    funding: facts.hasLiveMoney || facts.hasPaidLive,
    low_balance_warning: facts.hasThreshold,
    live_key: facts.hasLiveKey,
    limited_key: facts.hasLimitedKey,
    first_live_payout: facts.hasPaidLive,
  }
}
