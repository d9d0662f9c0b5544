// How often codes may be asked for and tried, and people invited: per address, so that nobody's mailbox is flooded and a code is hard to
// guess, and per network, so that nobody tries address after address.
import { AppError } from '../../core/errors.ts'
import { networkOf } from '../../core/network.ts'
import { keyedHash } from '../../core/seal.ts'
import { allowanceFullAt, fillAllowances, takeAllowance } from '../../storage/allowances.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps, Secrets } from '../deps.ts'

interface Limit {
  readonly name: string
  /** One more after so long … */
  readonly everyMs: number
  /** … and this many at once. */
  readonly burst: number
}

const MINUTE_MS = 60_000
export const RESEND_AFTER_MS = 30_000

const ASK_PER_ADDRESS: readonly Limit[] = [
  { name: 'ask/gap', everyMs: RESEND_AFTER_MS, burst: 1 },
  { name: 'ask/hour', everyMs: 12 * MINUTE_MS, burst: 5 },
  { name: 'ask/day', everyMs: 144 * MINUTE_MS, burst: 10 },
]
const ASK_PER_NETWORK: Limit = { name: 'ask/network', everyMs: MINUTE_MS, burst: 60 }
const TRY_PER_NETWORK: Limit = { name: 'try/network', everyMs: MINUTE_MS / 2, burst: 120 }

const INVITE_PER_PARTNER: Limit = { name: 'invite/partner', everyMs: 10 * MINUTE_MS, burst: 30 }

const CONFIRM_PER_MEMBER: Limit = { name: 'confirm/member', everyMs: 12 * MINUTE_MS, burst: 10 }

type LimitDeps = Pick<Deps, 'clock' | 'secrets'>

export async function mayAskForCode(tx: Tx, deps: LimitDeps, email: string, ip: string): Promise<void> {
  for (const limit of ASK_PER_ADDRESS) await take(tx, deps, limit, email)
  await take(tx, deps, ASK_PER_NETWORK, networkOf(ip))
}

export async function mayTryCode(tx: Tx, deps: LimitDeps, ip: string): Promise<void> {
  await take(tx, deps, TRY_PER_NETWORK, networkOf(ip))
}

/** An invitation is mail to somebody who did not ask for it. */
export async function mayInvite(tx: Tx, deps: LimitDeps, partnerId: string): Promise<void> {
  await take(tx, deps, INVITE_PER_PARTNER, partnerId)
}

/** With five tries a code, this is how often somebody with a stolen session can guess. */
export async function mayAskToConfirm(tx: Tx, deps: LimitDeps, member: string): Promise<void> {
  await take(tx, deps, CONFIRM_PER_MEMBER, member)
}

export function forgetAskingToConfirm(tx: Tx, deps: Pick<Deps, 'secrets'>, member: string): void {
  fillAllowances(tx, [bucketOf(deps.secrets, CONFIRM_PER_MEMBER, member)])
}

/** Whoever has entered the right code owns the address: asking for it was no nuisance. */
export function forgetAsking(tx: Tx, deps: Pick<Deps, 'secrets'>, email: string): void {
  fillAllowances(
    tx,
    ASK_PER_ADDRESS.map((limit) => bucketOf(deps.secrets, limit, email)),
  )
}

/** What is refused is not counted: the transaction comes to nothing. */
async function take(tx: Tx, deps: LimitDeps, limit: Limit, who: string): Promise<void> {
  const at = deps.clock.now()
  const bucket = bucketOf(deps.secrets, limit, who)
  const longestMs = limit.everyMs * limit.burst
  if (await takeAllowance(tx, { bucket, at, everyMs: limit.everyMs, longestMs })) return
  const fullAt = (await allowanceFullAt(tx, bucket)) ?? at
  const waitMs = fullAt.getTime() - at.getTime() + limit.everyMs - longestMs
  throw new AppError('rate_limited', 'This was done too often. Wait as long as Retry-After says.', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  })
}

/** Hashed: who asked, known or not, is not to be read from the table. */
function bucketOf(secrets: Secrets, limit: Limit, who: string): Buffer {
  return keyedHash(secrets.fingerprintKey, `allowance.v1\n${limit.name}\n${who}`)
}
