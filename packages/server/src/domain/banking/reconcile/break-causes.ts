// What each break between our books and the bank's usually means, for the table in docs/operations.md.
import type { BookBreak } from './compare-books.ts'

export const BREAK_CAUSES = {
  wallet_differs: 'a deposit not seen yet, a movement made by hand at the bank, or one of the breaks below',
  transfer_unknown_here: 'see the alarm “the bank has a transfer that we do not”',
  transfer_missing_at_bank: 'the bank lost or hides a transfer that it had confirmed: stop live payouts and call them',
  transfer_twice_at_bank: 'one reference, two transfers: the worst case; stop live payouts and call them',
  transfer_of_another_payout: 'references swapped; neither payout’s status can be trusted until it is resolved',
  transfer_after_giving_up: 'see the alarm “the bank has a transfer for a payout that was given up”',
  transfer_state_unknown: 'the bank uses a word that this program does not know; see the alarm of that name',
  transfer_unreadable: 'the bank has it, and what it says of it makes no sense to us; write to the bank',
  sent_amount_differs: 'the bank moved another amount than it confirmed',
  received_amount_differs: 'the bank moved another amount than it confirmed',
  surplus_differs: 'see the alarm “the bank leaves over of a payout what cannot be”; or as the next two',
  excess_differs:
    'you have moved money in or out of your own wallet at the bank: note it with `kestrel bank excess-moved`; or it got back what you had added to payouts that ended, and nobody can tell of which: the break names them, and you note it under `--reference top-up-back:ID`; or a top-up was not answered: run `kestrel payout top-up ID` again; or see `surplus_differs`',
  status_differs: 'news that has not been applied: if it stays for minutes, look at the worker’s log',
  paid_after_ending: 'see the alarm “the bank contradicts what it said of a payout”',
  refund_differs: 'news that has not been applied: if it stays for minutes, look at the worker’s log',
  more_differences: 'over a thousand breaks: whatever else differed was counted and not looked at again',
  wallet_not_compared: 'what the bank says of this one wallet makes no sense to us; write to the bank',
  bank_not_compared: 'the bank could not be asked; this is not "no breaks". It is tried again in an hour',
} as const satisfies Record<BookBreak['check'] | 'bank_not_compared', string>
