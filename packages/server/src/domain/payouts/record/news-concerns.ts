// What in the bank's news of a payout a person has to look at: pure, over one row and what the bank says.
import { UNDER_WAY, UNDONE } from '@kestrel/contract'

import { after } from '../../../core/clock.ts'
import { formatPence, formatPenceExact, formatUsdcExact } from '../../../core/money.ts'
import type { TransferSnapshot } from '../../../rail/transfer.ts'
import type { FollowedPayout } from '../../../storage/payouts.ts'
import { isMoreThanWhole } from '../../charges/payout-charges.ts'
import { statusOf } from '../states.ts'
import { isTooMuch, saysWhatCannotBe, takenFromWallet } from './taken-from-wallet.ts'
import type { Concern } from './tell-once.ts'

/** The bank draws a wallet at once. A transfer that waits longer than this waits for money that is not there. */
const FUNDED_WITHIN_MS = 2 * 60_000
const MOST_UNKNOWN_WORDS = 5
const DAY_MS = 24 * 60 * 60_000

/** We have told the partner that nothing was sent, so a person has to look. */
export function madeThoughGivenUp(payoutId: string, transferRef: string): Concern {
  return { what: 'the bank has a transfer for a payout that was given up', payoutId, detail: { transferRef } }
}

export function anotherTransfer(payoutId: string, transferRef: string): Concern {
  return { what: 'the bank has another transfer under a payout’s reference', payoutId, detail: { transferRef } }
}

/** The bank gives a payout's transfer another payout's name. Nobody knows then which of the two its news is about. */
export function namesAnother(
  payoutId: string,
  { clientReference }: Pick<TransferSnapshot, 'clientReference'>,
): boolean {
  return (clientReference ?? payoutId) !== payoutId
}

export function anothersName(payoutId: string, { transferRef, clientReference }: TransferSnapshot): Concern {
  const detail = { transferRef, named: clientReference ?? '' }
  return { what: 'the bank gives a payout’s transfer another reference', payoutId, detail }
}

/** Each new word is told, up to so many: a bank that has another one at every read does not ring for ever. */
function unknownWord(payoutId: string, bankState: string): Concern {
  const what = 'the bank has a state that we do not know'
  return { what, payoutId, detail: { bankState }, atMost: MOST_UNKNOWN_WORDS }
}

export function concernsOf(row: FollowedPayout, transfer: TransferSnapshot, now: Date): Concern[] {
  const concerns: Concern[] = []
  const add = (what: Concern['what'], detail: Concern['detail'] = {}, said: Concern['said'] = {}) =>
    concerns.push({ what, payoutId: row.id, detail, said })
  const { send, receive, bankState } = transfer
  if (transfer.state === 'unknown') concerns.push(unknownWord(row.id, bankState))
  if (send !== undefined && (takenFromWallet(row, transfer) !== row.walletSends || saysWhatCannotBe(row, transfer))) {
    const booked = formatUsdcExact(row.walletSends)
    add('the bank took another amount than we reserved', { reserved: booked, taken: formatUsdcExact(send) })
  }
  if (receive !== undefined && receive !== row.amount) {
    const asked = formatPence(row.amount)
    add('the bank pays another amount than we asked for', { asked }, { pays: formatPence(receive) })
  }
  const { surplus, surplusSaid } = transfer
  if (surplusSaid !== undefined || (surplus !== undefined && isTooMuch(row, surplus))) {
    const kind = surplusSaid === undefined ? 'more than was sent' : 'no amount'
    add('the bank leaves over of a payout what cannot be', { kind }, { says: surplusSaid ?? formatUsdcExact(surplus!) })
  }
  const networkCost = transfer.receipt?.networkCost
  if (networkCost !== undefined && isMoreThanWhole(networkCost, row.amount)) {
    add('the bank asks for a network fee that cannot be', {}, { says: formatPenceExact(networkCost) })
  }
  if (transfer.refund === 'failed') add('the bank could not refund a payout')
  if (isContradiction(row, transfer)) {
    // What was told before an ending was undone is no reason to keep silent after it.
    const again = row.endingsUndone > 0 ? { undoneBefore: String(row.endingsUndone) } : {}
    add('the bank contradicts what it said of a payout', { bankState, ...again })
  }
  if (transfer.missing !== undefined && transfer.state === 'awaiting_funds') {
    // What is missing follows the rate. What is missing after something was added is another matter.
    const added = row.toppedUp > 0n ? { added: formatUsdcExact(row.toppedUp) } : {}
    add('a payout lacks money at the bank', added, { missing: formatUsdcExact(transfer.missing) })
  } else if (isOld(row.createdAt, FUNDED_WITHIN_MS, now) && transfer.state === 'awaiting_funds') {
    add('a payout waits for funds at the bank')
  }
  if (isOld(row.createdAt, DAY_MS, now) && transfer.state === 'in_review') {
    add('a payout is in review at the bank for more than a day')
  }
  const isStillDue = transfer.refund === 'in_flight' || transfer.impossibleAfter !== undefined
  if (row.refundState === 'due' && isStillDue && isOld(row.endedAt ?? now, DAY_MS, now)) {
    add('a refund is not there after a day')
  }
  return concerns
}

/** News older than ours may say what was true then. Any other move that is not allowed was the bank's error. */
export function isStale(row: FollowedPayout, transfer: TransferSnapshot): boolean {
  const { updatedAt } = transfer
  return updatedAt !== undefined && row.bankUpdatedAt != null && updatedAt < row.bankUpdatedAt
}

/**
 * The bank says that a payout was stopped which it had handed over. A program of the release before writes the bank's last word
 * alone.
 */
export function isImpossible(
  { environment, handedOverAt, bankState }: Pick<FollowedPayout, 'environment' | 'handedOverAt' | 'bankState'>,
  { impossibleAfter, isTakenBack }: TransferSnapshot,
): boolean {
  if (impossibleAfter === undefined) return false
  // Nobody takes real money back that has left, whatever a bank gives as its reason.
  if (isTakenBack === true && environment === 'sandbox') return false
  return handedOverAt !== null || (bankState !== null && impossibleAfter.has(bankState))
}

/**
 * When we first heard that a payout was handed over. It is never taken back. The word that a program of the release before has
 * written is heard before the next one takes its place.
 */
export function handedOverAfter(row: FollowedPayout, transfer: TransferSnapshot, now: Date): Date | null {
  const { bankState, handedOverWords } = transfer
  const isHandedOver = [row.bankState ?? '', bankState].some((word) => handedOverWords?.has(word) === true)
  return row.handedOverAt ?? (isHandedOver ? now : null)
}

/**
 * The bank's word that is kept: its last one. What only says that the payment is on its way takes the place neither of
 * newer news nor of the word that it was handed over, which stays true.
 */
export function bankStateAfter(row: FollowedPayout, transfer: TransferSnapshot): string {
  const { bankState, leavesStanding } = transfer
  if (row.bankState == null || leavesStanding === undefined) return bankState
  return leavesStanding.has(row.bankState) || isStale(row, transfer) ? row.bankState : bankState
}

/** The transfer is on its way again, or has arrived, after it had arrived or ended; or it was stopped after it had left. */
function isContradiction(row: FollowedPayout, transfer: TransferSnapshot): boolean {
  if (transfer.state === 'unknown') return false
  const said = statusOf(transfer.state)
  // What has left, or has arrived, was not stopped before either, however old that word is.
  if (isImpossible(row, transfer) || (row.status === 'completed' && said === 'cancelled')) return true
  if (isStale(row, transfer)) return false
  // A payout that was said to have come back, and that a person completed again, comes back after all.
  if (row.status === 'completed') return UNDER_WAY.has(said) || (row.endingsUndone > 0 && UNDONE.has(said))
  return UNDONE.has(row.status) && !UNDONE.has(said)
}

function isOld(since: Date, ms: number, now: Date): boolean {
  return now > after(since, ms)
}
