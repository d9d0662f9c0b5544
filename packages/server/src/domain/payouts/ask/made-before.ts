// A payout that is tried again, or whose key another request had, after the bank had refused. If the bank turns out to
// have made it after all, nothing is sent a second time: neither under a new key nor under one that it may have forgotten.
import { madeAt } from '../../../core/ids.ts'
import type { Scope } from '../../../core/scope.ts'
import type { PayoutRail, SubmitAnswer } from '../../../rail/port.ts'
import type { WalletAtBank } from '../../../rail/transfer.ts'
import type { PayoutRow } from '../../../storage/payouts.ts'
import { type RefusedAttempt, listRefusedAttempts } from '../../../storage/refused-attempts.ts'
import type { Deps } from '../../deps.ts'
import { madeThoughGivenUp, namesAnother } from '../record/news-concerns.ts'
import { beginningOf, tellOnce, toldBefore } from '../record/tell-once.ts'
import type { GivenUp, HeldBack } from '../record/held-back.ts'
import { type Looked, lookFor } from './look-for.ts'
import { isWalletWhole, unlessUnavailable } from './wallet-whole.ts'

type Attempts = Pick<
  PayoutRow,
  'id' | 'idempotencyKey' | 'rail' | 'createdAt' | 'walletSends' | 'bankAttempt' | 'sendAttempts' | 'listedBy'
> & {
  /** Whether another request with this key was refused; absent: not looked up yet. */
  readonly followsRefusal?: boolean
  /** What it was before this request; absent when no request waits for it. */
  readonly givenUpAs?: GivenUp | null
}

interface Asked {
  readonly scope: Scope
  readonly account: WalletAtBank | null
  readonly payout: Attempts
}

/** The transfer that the bank has of it, or why nothing is sent now; null: it may be sent. */
export async function madeBefore(deps: Deps, rail: PayoutRail, asked: Asked): Promise<SubmitAnswer | HeldBack | null> {
  const { scope, payout } = asked
  if (!rail.has.wallets || (payout.sendAttempts === 1 && payout.followsRefusal === false)) return null
  const told = await toldBefore(deps.db.lookup, scope, madeThoughGivenUp(payout.id, ''))
  if (told.length > 0) return readTold(rail, payout, told)
  const refused = payout.followsRefusal === false ? [] : await refusedBefore(deps, asked)
  if (refused.length === 0 && !needsLook(deps, rail, payout)) return null
  const { id: clientReference, createdAt: requestedAt } = payout
  const sought = { account: asked.account, clientReference, requestedAt, earlier: refused.map(({ id }) => id) }
  const looked = await lookFor(deps, scope, { rail, sought }).catch(unlessUnavailable)
  if (looked === null) return heldBack(payout, { is: 'unasked' })
  await tell(deps, asked, looked)
  return looked.answer ?? hold(deps, asked, { looked, refused })
}

/** Without a refusal the bank recognises the key of the earlier attempt, for as long as it remembers keys. */
function needsLook(deps: Pick<Deps, 'clock'>, rail: PayoutRail, payout: Attempts): boolean {
  const isForgotten = deps.clock.now().getTime() - madeAt(payout.id).getTime() >= rail.remembersForMs
  return payout.bankAttempt > 1 || (payout.sendAttempts > 1 && isForgotten)
}

function refusedBefore(deps: Pick<Deps, 'db'>, { scope, payout }: Asked): Promise<RefusedAttempt[]> {
  const cause = beginningOf(madeThoughGivenUp('', ''))
  return listRefusedAttempts(deps.db.lookup, scope, { idempotencyKey: payout.idempotencyKey, cause })
}

async function hold(
  deps: Deps,
  { scope, account, payout }: Asked,
  { looked, refused }: { looked: Looked; refused: readonly RefusedAttempt[] },
): Promise<HeldBack | null> {
  const made = looked.earlier[0]?.clientReference ?? refused.find((each) => each.isTold || each.debitedAt !== null)?.id
  if (made !== undefined) return heldBack(payout, { is: 'made', payoutId: made })
  const until = latest([payout, ...refused].map(({ listedBy }) => listedBy))
  if (until === null || deps.clock.now() >= until) return null
  // Whoever was told to repeat the request waits for the list only if money is missing; a rejected account is no better now.
  const isRejected = payout.givenUpAs === 'rejected'
  const isWhole = isRejected ? false : await isWalletWhole(deps, { scope, account }, payout.walletSends)
  if (isWhole === null) return heldBack(payout, { is: 'unasked' })
  return isWhole ? null : heldBack(payout, { is: 'too_soon', until })
}

function latest(moments: readonly (Date | null)[]): Date | null {
  const ms = moments.flatMap((moment) => moment?.getTime() ?? [])
  return ms.length === 0 ? null : new Date(Math.max(...ms))
}

function heldBack({ givenUpAs }: Attempts, why: HeldBack['why']): HeldBack {
  return { kind: 'held_back', why, as: givenUpAs ?? 'not_sent' }
}

/** We said that nothing was sent. What a request that waits finds was made before it; the worker may find its own. */
async function tell(deps: Deps, { scope, payout }: Asked, { answer, earlier }: Looked): Promise<void> {
  const concerns = earlier.map((each) => madeThoughGivenUp(each.clientReference, each.transferRef))
  if (answer?.kind === 'accepted' && payout.givenUpAs != null) {
    concerns.push(madeThoughGivenUp(payout.id, answer.transfer.transferRef))
  }
  if (concerns.length > 0) await deps.db.inTransaction((tx) => tellOnce(deps, tx, scope, concerns))
}

async function readTold(rail: PayoutRail, payout: Attempts, told: readonly string[]): Promise<SubmitAnswer> {
  const read = await Promise.all(told.map((ref) => rail.readListed(ref).catch(() => null)))
  const own = read.filter((each) => each !== null && !namesAnother(payout.id, each) && each.state !== 'unknown')
  // The one that still has the money, as always where there are two.
  const transfer = own.find((each) => each?.refund === 'none') ?? own[0]
  if (transfer != null) return { kind: 'accepted', transfer }
  return { kind: 'unknown', reason: 'The bank has it already and does not show it.', nothingNew: true }
}
