// Reads a payout again and again until nothing more is to be expected soon.
import { StillUnderWayError } from './errors.ts'
import type { Payout } from './generated/types.ts'
import { pause } from './retries.ts'
import type { CallOptions } from './transport.ts'
import { wholeNumber } from './whole-number.ts'

/** Each wait is twice the one before: a payout takes seconds, or much longer. */
const FIRST_MS = 500
const LONGEST_MS = 30_000

export interface WaitOptions {
  /** How long to wait in all, tries and retries included: two minutes by default. With 0 it looks once. */
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
  wholeNumber('timeoutMs', timeoutMs, 0)
  const ending = new AbortController()
  let status = 'under way, as far as is known,'
  const stillUnderWay = () => new StillUnderWayError(id, status, timeoutMs)
  const timer = timeoutMs > 0 ? setTimeout(() => ending.abort(stillUnderWay()), timeoutMs) : undefined
  const leave = () => ending.abort(signal?.reason)
  if (signal?.aborted === true) leave()
  signal?.addEventListener('abort', leave)
  try {
    for (let waitMs = FIRST_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_MS)) {
      const payout = await retrieve(id, { signal: ending.signal })
      if (!UNDER_WAY.has(payout.status)) return payout
      status = payout.status
      if (timeoutMs === 0) throw stillUnderWay()
      await pause(waitMs, ending.signal)
      ending.signal.throwIfAborted()
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', leave)
  }
}
