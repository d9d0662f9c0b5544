// Reads a payout again and again until nothing more is to be expected soon.
import { StillUnderWayError, UsageError } from './errors.ts'
import type { Payout } from './generated/types.ts'
import { pause } from './retries.ts'
import type { CallOptions } from './transport.ts'

/** Each wait is twice the one before: a payout takes seconds, or much longer. */
const FIRST_MS = 500
const LONGEST_MS = 30_000

export interface WaitOptions {
  /** How long to wait in all: two minutes by default. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** The words that mean that nobody knows yet how it ends. Others, also such as are not known here, are ends. */
const UNDER_WAY: ReadonlySet<string> = new Set(['pending', 'processing'])

export async function waitUntilFinal(
  retrieve: (id: string, options: CallOptions) => Promise<Payout>,
  id: string,
  { timeoutMs = 120_000, signal }: WaitOptions,
): Promise<Payout> {
  if (!(timeoutMs >= 0)) throw new UsageError('timeoutMs is how many milliseconds to wait at most.')
  const deadline = Date.now() + timeoutMs
  for (let waitMs = FIRST_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_MS)) {
    const payout = await retrieve(id, { signal })
    if (!UNDER_WAY.has(payout.status)) return payout
    const left = deadline - Date.now()
    if (left <= 0) throw new StillUnderWayError(payout.id, payout.status, timeoutMs)
    await pause(Math.min(waitMs, left), signal)
    signal?.throwIfAborted()
  }
}
