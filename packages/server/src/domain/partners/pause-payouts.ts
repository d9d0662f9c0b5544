// The switch that stops all payouts of an account at once, and lets them go out again. Whoever is told that they are paused
// can rely on it: from then on no process reserves another one. What was reserved before is under way and goes on.
import type { Environment } from '@kestrel/contract'

import { noticeMail } from '../../mail/templates/notice-mails.ts'
import { lockWallet } from '../../storage/ledger.ts'
import { type Partner, lockStatus } from '../../storage/partners.ts'
import { type Pause, findPause, setPause } from '../../storage/payout-pause.ts'
import type { Tx } from '../../storage/sql.ts'
import { AppError } from '../../core/errors.ts'
import type { Audited } from '../activity/audited.ts'
import { addOperatorAction } from '../activity/record-operator-action.ts'
import type { Deps } from '../deps.ts'
import { notifyAdmins } from '../notices/notify-admins.ts'

type PauseDeps = Pick<Deps, 'db' | 'clock' | 'secrets' | 'mailer' | 'post'>

export interface Switching {
  readonly partner: Pick<Partner, 'id' | 'name' | 'slug'>
  readonly environment: Environment
  /** A member's email, the start of a key, or `operator`. */
  readonly by: string
  readonly url: string
}

/** The pause that holds now: an earlier one stays as it is, and is not new. */
export async function pausePayouts(deps: PauseDeps, wanted: Switching): Promise<Pause & { isNew: boolean }> {
  const pause = await deps.db.inTransaction(async (tx) => {
    const before = await pauseUnderLock(tx, wanted)
    if (before !== null) return { ...before, isNew: false }
    const made = { pausedAt: deps.clock.now(), pausedBy: wanted.by }
    await change(tx, deps, wanted, { pause: made, what: `All ${wanted.environment} payouts were paused` })
    return { ...made, isNew: true }
  })
  deps.post.wake()
  return pause
}

/**
 * Returns whether it did anything: nothing if no pause holds. A live one is undone only by whoever has seen it, code and all: a pause that came while this
 * waited for the lock stays.
 */
export async function resumePayouts(
  deps: PauseDeps,
  wanted: Switching,
  { only }: { only: Pause | null | 'whichever holds' },
): Promise<boolean> {
  const isResumed = await deps.db.inTransaction(async (tx) => {
    const pause = await pauseUnderLock(tx, wanted)
    if (pause === null) return false
    const isJudged = only === 'whichever holds' || only?.pausedAt.getTime() === pause.pausedAt.getTime()
    if (wanted.environment === 'live' && !isJudged) throw pausedMeanwhile()
    await change(tx, deps, wanted, { pause: null, what: `${wanted.environment} payouts go out again` })
    return true
  })
  deps.post.wake()
  return isResumed
}

/** What the log says of the switch. */
export function switchedTo(pause: Pause | null): Audited {
  const [before, after] = pause === null ? (['paused', 'going out'] as const) : (['going out', 'paused'] as const)
  return { subject: null, changes: [{ field: 'payouts', before, after }] }
}

function pausedMeanwhile(): AppError {
  return new AppError(
    'confirm_code_required',
    'Live payouts were paused just now. To resume them, ask for a code with POST /v1/confirm-codes and send it along. Nothing was done.',
  )
}

/** Under the partner's lock: of two who switch at once, the second sees what the first did. */
async function pauseUnderLock(tx: Tx, { partner, environment }: Switching): Promise<Pause | null> {
  if ((await lockStatus(tx, partner.id)) === 'closed') {
    throw new AppError('invalid_request', `${partner.slug} is closed for good. Nothing was changed.`)
  }
  return findPause(tx, { partnerId: partner.id, environment })
}

/** The wallet comes last in the order of locks, and is held for as long as it takes to write one row. */
async function change(
  tx: Tx,
  deps: PauseDeps,
  { partner, environment, by, url }: Switching,
  { pause, what }: { pause: Pause | null; what: string },
): Promise<void> {
  const scope = { partnerId: partner.id, environment }
  const about = [['Environment', environment]] as const
  const content = noticeMail({ what: capital(what), businessName: partner.name, about, by, url })
  const kind = pause === null ? 'payouts_resumed' : 'payouts_paused'
  // Only resuming live takes a code: what anybody can repeat must not use up the mails about that.
  const weight = pause === null && environment === 'live' ? 'grave' : 'plain'
  await notifyAdmins(tx, deps, { partnerId: partner.id, kind, weight, content })
  if (by === 'operator') {
    const action = pause === null ? 'payouts.resume' : 'payouts.pause'
    addOperatorAction(tx, deps, { ...scope, action, detail: null, audited: switchedTo(pause) })
  }
  await lockWallet(tx, scope)
  setPause(tx, scope, pause)
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

/** Who paused, as a caller is told: only members see each other's addresses. */
export function pausedByInWords({ pausedBy }: Pick<Pause, 'pausedBy'>, seenBy: 'member' | 'key'): string {
  if (pausedBy === 'operator') return 'the operator of this service'
  return seenBy === 'key' && pausedBy.includes('@') ? 'an admin' : pausedBy
}

export function payoutsPaused(pause: Pause, environment: Environment, seenBy: 'member' | 'key'): AppError {
  const [at, by] = [pause.pausedAt.toISOString(), pausedByInWords(pause, seenBy)]
  return new AppError(
    'payouts_paused',
    `All ${environment} payouts have been paused since ${at}, by ${by}. Nothing was sent. Once an admin has resumed them in the dashboard, retry with the same Idempotency-Key.`,
    { details: { paused_at: at, paused_by: by } },
  )
}
