// What happens when a wallet cannot be connected: it is tried again less and less often, and somebody is told. All of it
// is in the database, so that restarts and other workers make it no more often.
import { after } from '../../../core/clock.ts'
import { BankRefusal, RailUnavailable } from '../../../rail/port.ts'
import { type UnconnectedWallet, putOffConnecting } from '../../../storage/connecting.ts'
import type { Deps } from '../../deps.ts'

const FIRST_PAUSE_MS = 1_000
/** The bank publishes no limit. Four requests per hour and business bother nobody; longer would keep a business waiting. */
const LONGEST_PAUSE_MS = 15 * 60_000
/** As long as the bank asks us to wait, up to this. */
const LONGEST_ASKED_MS = 60 * 60_000
/** About four minutes after the first try: what mends itself has done so. */
const TRIES_BEFORE_ALARM = 8
const LONGEST_TROUBLE = 500

/** How long to wait after so many tries in vain. */
export function connectPause(tries: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries - 1, 20), LONGEST_PAUSE_MS)
}

export async function connectLater(deps: Deps, wallet: UnconnectedWallet, error: unknown): Promise<void> {
  const tries = wallet.tries + 1
  const asked = error instanceof RailUnavailable ? error.retryAfterMs : 0
  // A bank may ask for more, and a proxy before it for days.
  const pause = Math.min(Math.max(connectPause(tries), asked), LONGEST_ASKED_MS)
  await putOffConnecting(deps.db, wallet, {
    tries,
    isRefused: error instanceof BankRefusal,
    until: after(deps.clock.now(), pause),
    trouble: (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_TROUBLE),
  })
  // Without an account in pounds a wallet is of use all the same; doctor tells of it.
  if (tries < TRIES_BEFORE_ALARM || wallet.walletRef !== null) return
  const { partnerId, environment } = wallet
  deps.onAlarm('a wallet cannot be opened at the bank', { partnerId, environment })
}
