// When a failed try is followed by another, and how long that waits.
import { type ApiError, isRetryable } from './errors.ts'

/** For all waits of one call together: a caller who wants to wait longer asks again, with the same key. */
const LONGEST_WAITING_MS = 20_000
const FIRST_MS = 500
const LONGEST_MS = 8_000

/** Refused before anything was done, so that asking again cannot do it twice. */
const NOTHING_WAS_DONE: ReadonlySet<number> = new Set([408, 429])

export function mayTryAgain(
  refusal: ApiError | null,
  { isRepeatable, waitMs, waitedMs }: { isRepeatable: boolean; waitMs: number; waitedMs: number },
): boolean {
  if (waitedMs + waitMs > LONGEST_WAITING_MS) return false
  if (refusal === null) return isRepeatable
  return isRetryable(refusal.status, refusal.code) && (isRepeatable || NOTHING_WAS_DONE.has(refusal.status))
}

/** As long as the service asks for; and by chance, so that many callers do not come back at once. */
export function waitBefore(tries: number, retryAfterSeconds: number | null): number {
  const chance = Math.random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1))
  return Math.ceil((retryAfterSeconds ?? 0) * 1_000 + chance)
}

/** Errors of a connection that never stood: nobody can have heard the request. */
const NEVER_CONNECTED: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

/** Runtimes that do not tell leave it in doubt. */
export function isNeverHeard(error: unknown): boolean {
  const { cause } = (error ?? {}) as { cause?: { code?: unknown; errors?: readonly { code?: unknown }[] } }
  const codes = cause?.errors?.map(({ code }) => code) ?? [cause?.code]
  return codes.length > 0 && codes.every((code) => NEVER_CONNECTED.has(code))
}

/** Ends early when the signal does. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted === true) return
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
  })
}
