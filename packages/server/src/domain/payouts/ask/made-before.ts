// A payout that was given up and is wanted again. If the bank turns out to have it after all, nothing is sent a second
// time: neither under a new key nor under one that the bank may have forgotten.
import type { Scope } from '../../../core/scope.ts'
import type { PayoutRail, SubmitAnswer } from '../../../rail/port.ts'
import type { PayoutRow } from '../../../storage/payouts.ts'
import type { Deps } from '../../deps.ts'
import { madeThoughGivenUp } from '../record/news-concerns.ts'
import { toldBefore } from '../record/tell-once.ts'

/** The transfer that the bank has of it; null: none that an alarm has told of. */
export async function madeBefore(
  deps: Pick<Deps, 'db'>,
  scope: Scope,
  { rail, payout }: { rail: PayoutRail; payout: Pick<PayoutRow, 'id' | 'sendAttempts'> },
): Promise<SubmitAnswer | null> {
  if (payout.sendAttempts === 1) return null
  const told = await toldBefore(deps.db.lookup, scope, madeThoughGivenUp(payout.id, ''))
  if (told.length === 0) return null
  const read = await Promise.all(told.map((ref) => rail.readListed(ref).catch(() => null)))
  const own = read.filter((each) => each?.clientReference === payout.id && each.state !== 'unknown')
  // The one that still has the money, as always where there are two.
  const transfer = own.find((each) => each?.refund === 'none') ?? own[0]
  if (transfer != null) return { kind: 'accepted', transfer }
  return { kind: 'unknown', reason: 'The bank has it already and does not show it.', nothingNew: true }
}
