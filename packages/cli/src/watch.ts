// Follows one payout to its end, and tells each status on the way.
import { ConnectionError, type Kestrel, type Payout, StillUnderWayError } from '@kestrel/sdk'

/** Each wait is twice the one before: a payout takes seconds, or much longer. */
const FIRST_MS = 250
const LONGEST_MS = 15_000

const UNDER_WAY: ReadonlySet<string> = new Set(['pending', 'processing'])

export async function watch(
  kestrel: Kestrel,
  id: string,
  options: {
    timeoutMs: number
    signal: AbortSignal
    /** The status that has been told already. */
    told?: string
    onChange: (payout: Payout) => Promise<void> | void
  },
): Promise<Payout> {
  const { timeoutMs, signal, onChange } = options
  const deadline = Date.now() + timeoutMs
  let known = options.told
  for (let waitMs = FIRST_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_MS)) {
    const payout = await read(kestrel, id, signal)
    if (payout.status !== known) await onChange(payout)
    known = payout.status
    if (!UNDER_WAY.has(payout.status)) return payout
    const left = deadline - Date.now()
    if (left <= 0) throw new StillUnderWayError(payout.id, payout.status, timeoutMs)
    await pause(Math.min(waitMs, left), signal)
    signal.throwIfAborted()
  }
}

/** The payout exists: that nobody answers does not mean that nothing was sent. */
async function read(kestrel: Kestrel, id: string, signal: AbortSignal): Promise<Payout> {
  try {
    return await kestrel.payouts.retrieve(id, { signal })
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error
    throw new ConnectionError(error.message, { nothingWasSent: false, cause: error.cause })
  }
}

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}
