// How often somebody may do something, counted in the database under hashes that do not reveal who it was.
import { CLOCK_WAS_WRONG_MS } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import { keyedHash } from '../../core/seal.ts'
import { allowanceFullAt, fillAllowances, takeAllowance } from '../../storage/allowances.ts'
import type { Db, Tx } from '../../storage/sql.ts'
import type { Deps, DataKeys } from '../deps.ts'

export interface Limit {
  readonly name: string
  /** One more is allowed after this long … */
  readonly everyMs: number
  /** … and this many at once. */
  readonly burst: number
  /** The most that the same bucket is ever asked for; `burst` where that is always the same. */
  readonly largestBurst?: number
  /** What a refused caller is told, when there is more to say than "too often". */
  readonly refusal?: string
}

export type LimitDeps = Pick<Deps, 'clock' | 'secrets'>

/** A refused attempt is not counted: its transaction is rolled back. */
export async function takeOrRefuse(tx: Tx, deps: LimitDeps, limit: Limit, who: string): Promise<void> {
  if (await takeIfLeft(tx, deps, limit, who)) return
  throw refusalOf(limit, await untilOneIsLeftMs(tx, deps, limit, who))
}

/** Takes nothing: for checking before a step that would be refused. */
export async function refuseIfNoneLeft(db: Db, deps: LimitDeps, limit: Limit, who: string): Promise<void> {
  const waitMs = await untilOneIsLeftMs(db, deps, limit, who)
  if (waitMs > 0) throw refusalOf(limit, waitMs)
}

async function untilOneIsLeftMs(db: Db, deps: LimitDeps, limit: Limit, who: string): Promise<number> {
  const at = deps.clock.now()
  const fullAt = (await allowanceFullAt(db, bucketOf(deps.secrets, limit, who))) ?? at
  const waitMs = fullAt.getTime() - at.getTime() + limit.everyMs - limit.everyMs * limit.burst
  return fullAt.getTime() - at.getTime() > everMs(limit) + CLOCK_WAS_WRONG_MS ? 0 : waitMs
}

const everMs = ({ everyMs, burst, largestBurst = burst }: Limit) => everyMs * largestBurst

function refusalOf({ refusal }: Limit, waitMs: number): AppError {
  return new AppError('rate_limited', refusal ?? 'This was done too often. Wait as long as Retry-After says.', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  })
}

/** False when nothing is left, for callers that can do without. */
export function takeIfLeft(tx: Tx, deps: LimitDeps, limit: Limit, who: string): Promise<boolean> {
  const { everyMs, burst } = limit
  const bucket = bucketOf(deps.secrets, limit, who)
  return takeAllowance(tx, { bucket, at: deps.clock.now(), everyMs, longestMs: everyMs * burst, everMs: everMs(limit) })
}

export function giveBack(tx: Tx, deps: Pick<Deps, 'secrets'>, limits: readonly (readonly [Limit, string])[]): void {
  fillAllowances(
    tx,
    limits.map(([limit, who]) => bucketOf(deps.secrets, limit, who)),
  )
}

function bucketOf(secrets: DataKeys, limit: Limit, who: string): Buffer {
  return keyedHash(secrets.fingerprintKey, `allowance.v1\n${limit.name}\n${who}`)
}
