import type { Account, PayoutPause } from '@kestrel/contract'

import { pausedByInWords } from '../../domain/partners/pause-payouts.ts'
import type { Caller } from '../access/caller.ts'

interface Pause {
  readonly pausedAt: Date | null
  readonly pausedBy: string | null
}

export function presentPause(caller: Caller, pause: Pause | null): PayoutPause {
  const shown = pause === null ? null : presentPauseOfAccount(caller, pause)
  return {
    object: 'payout_pause',
    environment: caller.environment,
    paused: shown !== null,
    paused_at: shown?.paused_at ?? null,
    paused_by: shown?.paused_by ?? null,
  }
}

export function presentPauseOfAccount(
  { session }: Pick<Caller, 'session'>,
  { pausedAt, pausedBy }: Pause,
): NonNullable<Account['payouts_pause']> | null {
  if (pausedAt === null || pausedBy === null) return null
  const seenBy = session === null ? 'key' : 'member'
  return { paused_at: pausedAt.toISOString(), paused_by: pausedByInWords({ pausedBy }, seenBy) }
}
