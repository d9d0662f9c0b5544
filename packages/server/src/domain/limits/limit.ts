// How often somebody may do something: counted in the database, under hashes from which nobody reads who it was.
import { AppError } from '../../core/errors.ts'
import { keyedHash } from '../../core/seal.ts'
import { allowanceFullAt, fillAllowances, takeAllowance } from '../../storage/allowances.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps, Secrets } from '../deps.ts'

export interface Limit {
  readonly name: string
  /** One more after so long … */
  readonly everyMs: number
  /** … and this many at once. */
  readonly burst: number
}

export type LimitDeps = Pick<Deps, 'clock' | 'secrets'>

/** What is refused is not counted: the transaction comes to nothing. */
export async function takeOrRefuse(tx: Tx, deps: LimitDeps, limit: Limit, who: string): Promise<void> {
  if (await takeIfLeft(tx, deps, limit, who)) return
  const at = deps.clock.now()
  const fullAt = (await allowanceFullAt(tx, bucketOf(deps.secrets, limit, who))) ?? at
  const waitMs = fullAt.getTime() - at.getTime() + limit.everyMs - limit.everyMs * limit.burst
  throw new AppError('rate_limited', 'This was done too often. Wait as long as Retry-After says.', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  })
}

/** False when nothing is left, for whoever can do without. */
export function takeIfLeft(tx: Tx, deps: LimitDeps, limit: Limit, who: string): Promise<boolean> {
  const { everyMs, burst } = limit
  const bucket = bucketOf(deps.secrets, limit, who)
  return takeAllowance(tx, { bucket, at: deps.clock.now(), everyMs, longestMs: everyMs * burst })
}

export function giveBack(tx: Tx, deps: Pick<Deps, 'secrets'>, limits: readonly (readonly [Limit, string])[]): void {
  fillAllowances(
    tx,
    limits.map(([limit, who]) => bucketOf(deps.secrets, limit, who)),
  )
}

function bucketOf(secrets: Secrets, limit: Limit, who: string): Buffer {
  return keyedHash(secrets.fingerprintKey, `allowance.v1\n${limit.name}\n${who}`)
}
