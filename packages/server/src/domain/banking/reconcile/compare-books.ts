// Our books against the bank's: a pure comparison, so that it can be tried on any two of them.
import { type PayoutStatus, UNDER_WAY, UNDONE } from '@kestrel/contract'

import { groupBy } from '../../../core/group-by.ts'
import { type MicroUsdc, microUsdc } from '../../../core/money.ts'
import type { ListedTransfer, UnreadTransfer } from '../../../rail/transfer.ts'
import type { PayoutAtBank } from '../../../storage/bank-comparison.ts'
import { isGivenUp, isInDoubt } from '../../payouts/record/in-doubt.ts'
import { namesAnother } from '../../payouts/record/news-concerns.ts'
import { saysWhatCannotBe, takenFromWallet } from '../../payouts/record/taken-from-wallet.ts'
import { statusAfter, statusOf } from '../../payouts/states.ts'

/** What can differ between the bank's books and ours. Every other break is in our own books. */
export const BANK_CHECKS = [
  'wallet_differs',
  'wallet_not_compared',
  'transfer_unknown_here',
  'transfer_missing_at_bank',
  'transfer_twice_at_bank',
  'transfer_of_another_payout',
  'transfer_after_giving_up',
  'transfer_state_unknown',
  'transfer_unreadable',
  'sent_amount_differs',
  'received_amount_differs',
  'surplus_differs',
  'excess_differs',
  'status_differs',
  'paid_after_ending',
  'refund_differs',
  'more_differences',
] as const

export interface BookBreak {
  readonly check: (typeof BANK_CHECKS)[number]
  readonly partnerId: string | null
  /** The payout, transfer or wallet that it is about. */
  readonly about: string
  readonly detail: string
}

/** Whether the operator has taken what the bank sent out of the wallet's books, so that it is no break any more. */
export type IsAnswered = (payout: PayoutAtBank | undefined, transfer: ListedTransfer) => boolean

/** Each transfer has its payout and each payout its transfer, alike in every figure; none is there that nobody can read. */
export function compareTransfers(
  payouts: readonly PayoutAtBank[],
  transfers: readonly ListedTransfer[],
  more: { unread?: readonly UnreadTransfer[]; isAnswered?: IsAnswered } = {},
): BookBreak[] {
  const { unread = [], isAnswered = () => false } = more
  const references = new Set([...transfers, ...unread].flatMap((each) => [each.clientReference, each.transferRef]))
  const missing = payouts.filter(
    ({ sendState, id, transferRef }) =>
      sendState === 'accepted' && !references.has(id) && (transferRef === null || !references.has(transferRef)),
  )
  const payoutById = new Map(payouts.map((payout) => [payout.id, payout]))
  return [
    ...compareListed(payouts, transfers, isAnswered),
    ...unread.map((row) => unreadable(payoutById.get(row.clientReference ?? ''), row)),
    ...missing.map(missingAtBank),
  ]
}

/** The same for transfers that the bank lists, some at a time; what it does not list is another question. */
export function compareListed(
  payouts: readonly PayoutAtBank[],
  transfers: readonly ListedTransfer[],
  isAnswered: IsAnswered = () => false,
): BookBreak[] {
  const payoutById = new Map(payouts.map((payout) => [payout.id, payout]))
  const having = new Map(payouts.flatMap(({ id, transferRef }) => (transferRef === null ? [] : [[transferRef, id]])))
  const byReference = groupBy(
    transfers,
    ({ transferRef, clientReference }) => having.get(transferRef) ?? clientReference ?? transferRef,
  )
  const breaks: BookBreak[] = []
  for (const [reference, listed] of byReference) {
    const payout = payoutById.get(reference)
    const own = listed.filter((transfer) => !isAnswered(payout, transfer))
    for (const transfer of own) {
      breaks.push(...(payout === undefined ? unknownHere(transfer) : comparePair(payout, transfer)))
    }
    if (own.length > 1) breaks.push(twiceAtBank(payout?.partnerId ?? null, reference))
  }
  return breaks
}

function comparePair(payout: PayoutAtBank, transfer: ListedTransfer): BookBreak[] {
  const found = (check: BookBreak['check'], ours: unknown, theirs: unknown): BookBreak => ({
    check,
    partnerId: payout.partnerId,
    about: payout.id,
    detail: `we have ${String(ours)}, the bank has ${String(theirs)}`,
  })
  if (isGivenUp(payout)) return [found('transfer_after_giving_up', payout.sendState, transfer.bankState)]
  const breaks: BookBreak[] = []
  if (payout.transferRef !== null && payout.transferRef !== transfer.transferRef) {
    breaks.push(found('transfer_of_another_payout', payout.transferRef, transfer.transferRef))
  }
  if (namesAnother(payout.id, transfer)) {
    breaks.push(found('transfer_of_another_payout', payout.id, transfer.clientReference))
  }
  const sent = payout.bankSent ?? payout.walletSends
  const taken = takenFromWallet(payout, transfer)
  if (sent !== taken) breaks.push(found('sent_amount_differs', sent, taken))
  else if (saysWhatCannotBe(payout, transfer)) breaks.push(found('sent_amount_differs', sent, transfer.send))
  const left = transfer.surplus ?? transfer.surplusSaid
  if (left !== undefined && left !== payout.surplus) {
    breaks.push(found('surplus_differs', payout.surplus ?? 'none', left))
  }
  const { receive = payout.amount } = transfer
  if (payout.amount !== receive) breaks.push(found('received_amount_differs', payout.amount, receive))
  if (transfer.state === 'unknown') {
    breaks.push(found('transfer_state_unknown', payout.status, transfer.bankState))
  } else if (UNDONE.has(payout.status) && transfer.state === 'settled') {
    breaks.push(found('paid_after_ending', `${payout.status}, refund ${payout.refundState}`, transfer.bankState))
  } else if (!agrees(payout.status, transfer)) breaks.push(found('status_differs', payout.status, transfer.bankState))
  else if (refundDiffers(payout, transfer)) {
    breaks.push(found('refund_differs', `refund ${payout.refundState}`, `refund ${transfer.refund}`))
  }
  return breaks
}

/** Money that is back on one side and not on the other. */
function refundDiffers(payout: PayoutAtBank, transfer: ListedTransfer): boolean {
  if (payout.refundState === 'due') return transfer.refund === 'done'
  return payout.refundState === 'done' && (transfer.refund === 'in_flight' || transfer.refund === 'failed')
}

/** Whether the bank's state would move the payout no further. */
function agrees(status: PayoutStatus, transfer: ListedTransfer): boolean {
  return statusAfter(status, transfer.state) === status && !isBehind(status, transfer)
}

/** We claim an end that the bank does not know of. */
function isBehind(status: PayoutStatus, transfer: ListedTransfer): boolean {
  if (UNDER_WAY.has(status)) return false
  if (!UNDONE.has(status)) return transfer.state !== 'settled'
  return transfer.state === 'unknown' || !UNDONE.has(statusOf(transfer.state))
}

/** One whose money is back in the wallet has taken nothing out of it: the books are as if it had never been. */
function unknownHere({ transferRef, clientReference, send, bankState, refund }: ListedTransfer): BookBreak[] {
  if (refund === 'done') return []
  const which = `the bank has a transfer of ${send ?? 'so many'} millionths for ${clientReference ?? 'no reference'}`
  const detail = `${which}, which is ${bankState}`
  return [{ check: 'transfer_unknown_here', partnerId: null, about: transferRef, detail }]
}

export function unreadable(payout: PayoutAtBank | undefined, row: UnreadTransfer): BookBreak {
  return {
    check: 'transfer_unreadable',
    partnerId: payout?.partnerId ?? null,
    about: payout?.id ?? row.transferRef,
    detail: `the bank’s transfer ${row.transferRef}: ${row.why}`,
  }
}

export function missingAtBank(payout: PayoutAtBank): BookBreak {
  return {
    check: 'transfer_missing_at_bank',
    partnerId: payout.partnerId,
    about: payout.id,
    detail: `we have transfer ${payout.transferRef ?? 'without a reference'}, the bank has none`,
  }
}

export function twiceAtBank(partnerId: string | null, reference: string): BookBreak {
  return {
    check: 'transfer_twice_at_bank',
    partnerId,
    about: reference,
    detail: 'the bank has more than one transfer for one payout',
  }
}

/**
 * What the bank's wallet must hold: what can be spent here, and what is held for payouts that the bank does not have
 * (yet). Whatever the bank has accepted it has taken out already, or says that it still waits for it.
 */
export function expectedAtBank(
  available: MicroUsdc,
  payouts: readonly PayoutAtBank[],
  hasTransfer: (payoutId: string) => boolean,
): MicroUsdc {
  const notTaken = payouts.filter((payout) => isInDoubt(payout) && !hasTransfer(payout.id))
  return microUsdc(notTaken.reduce((sum, payout) => sum + payout.walletSends, available as bigint))
}
