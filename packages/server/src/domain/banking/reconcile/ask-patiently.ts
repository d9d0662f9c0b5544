// Asks a bank that is busy at times: one refusal or late answer must not cost a long piece of work.
import { sleep } from '../../../core/clock.ts'
import { RailUnavailable, UnreadableAnswer } from '../../../rail/port.ts'

/** Short pauses: a bank that is down should soon be reported as down. */
const PAUSES_MS = [500, 2_000, 5_000] as const
/** We wait as long as the bank asks us to, up to this. */
const LONGEST_PAUSE_MS = 30_000

export async function askPatiently<T>(ask: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await ask()
    } catch (error) {
      // An answer that makes no sense now makes none in a second either.
      if (!(error instanceof RailUnavailable) || error instanceof UnreadableAnswer) throw error
      await sleep(Math.min(Math.max(pause, error.retryAfterMs), LONGEST_PAUSE_MS))
    }
  }
  return ask()
}
