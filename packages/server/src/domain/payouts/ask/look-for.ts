// What the bank's list has of a payout, under its own reference and under those of earlier attempts with its key.
import { madeAt } from '../../../core/ids.ts'
import type { Scope } from '../../../core/scope.ts'
import type { PayoutRail, SubmitAnswer } from '../../../rail/port.ts'
import type { FoundTransfers, SoughtTransfer } from '../../../rail/transfer.ts'
import type { Deps } from '../../deps.ts'
import { requireAllNamed } from './nameless-transfers.ts'
import { anotherTransfer } from '../record/news-concerns.ts'
import { recordNews } from '../record/record-news.ts'
import { tellOnce } from '../record/tell-once.ts'

export const NO_NEWS: Extract<SubmitAnswer, { kind: 'unknown' }> = {
  kind: 'unknown',
  reason: 'The bank had nothing to say about it.',
  nothingNew: true,
}

/** An older transfer was met by the daily reads of the whole list, and an alarm has told of it. */
const LOOK_BACK_MS = 2 * 24 * 60 * 60_000

export interface Looked {
  /** Null: nothing under the payout's own reference. */
  readonly answer: SubmitAnswer | null
  readonly earlier: FoundTransfers['earlier']
}

/**
 * Of two transfers, the news of both decides which is the payout's and raises an alarm about the other. Another
 * customer's transfer raises an alarm and proves nothing. Throws when the bank cannot be asked, or has a transfer of which
 * nobody knows whose it is.
 */
export async function lookFor(
  deps: Deps,
  scope: Scope,
  { rail, sought }: { rail: PayoutRail; sought: SoughtTransfer },
): Promise<Looked> {
  const found = await rail.findTransfers({ ...sought, since: firstTried(deps, sought) })
  const { own, others, earlier } = found
  const payoutId = sought.clientReference
  if (others.length > 0) {
    const concerns = others.map((transferRef) => anotherTransfer(payoutId, transferRef))
    await deps.db.inTransaction((tx) => tellOnce(deps, tx, scope, concerns))
  }
  const [transfer] = own
  if (transfer === undefined) {
    await requireAllNamed(deps, { scope, rail: rail.name }, found)
    return { answer: others.length === 0 ? null : NO_NEWS, earlier }
  }
  if (own.length === 1) return { answer: { kind: 'accepted', transfer }, earlier }
  await recordNews(
    deps,
    scope,
    own.map((each) => ({ payoutId, transfer: each })),
  )
  return { answer: NO_NEWS, earlier }
}

/** A payout that is tried again has a later time than its id, and what was made of it first is as old as that. */
function firstTried(deps: Pick<Deps, 'clock'>, { clientReference, earlier = [], requestedAt }: SoughtTransfer): Date {
  const tried = [clientReference, ...earlier].map((id) => madeAt(id).getTime())
  const first = Math.min(requestedAt.getTime(), ...tried)
  return new Date(Math.min(requestedAt.getTime(), Math.max(first, deps.clock.now().getTime() - LOOK_BACK_MS)))
}
