import type { Deps } from '../domain/deps.ts'
import { followPayouts } from '../domain/payouts/follow-payouts.ts'
import { type Loop, startLoop } from './loop.ts'

// A look at the index of due payouts costs a tenth of a millisecond, so looking often is cheap.
const PAUSE_MS = 200

export function startFollowingPayouts(
  deps: Deps,
  hooks: { onRound: (followed: number) => void; onError: (error: unknown) => void },
): Loop {
  return startLoop({
    round: async () => {
      const followed = await followPayouts(deps)
      hooks.onRound(followed)
      return followed > 0
    },
    pauseMs: PAUSE_MS,
    onError: hooks.onError,
  })
}
