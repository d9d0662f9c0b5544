// A question to a bank that is busy now and then: one refusal, or one answer that is late, does not cost a long piece of work.
import { sleep } from '../../core/clock.ts'
import { RailUnavailable, UnreadableAnswer } from '../../rail/rail.ts'

/** A bank that is down should be reported as that, and soon. */
const PAUSES_MS = [500, 2_000, 5_000] as const
/** What the bank asks us to wait is waited for, up to this. */
const LONGEST_PAUSE_MS = 30_000

export async function askPatiently<T>(ask: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await ask()
    } catch (error) {
      // What makes no sense now makes none in a second either.
      if (!(error instanceof RailUnavailable) || error instanceof UnreadableAnswer) throw error
      await sleep(Math.min(Math.max(pause, error.retryAfterMs), LONGEST_PAUSE_MS))
    }
  }
  return ask()
}
