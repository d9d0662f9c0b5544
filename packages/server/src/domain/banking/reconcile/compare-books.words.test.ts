// In which words a difference between the two books is told, and by which name.
import { describe, expect, it } from 'vitest'

import { aPayout, aTransfer } from '../../../../test/support/two-books.ts'
import { microUsdc, pence } from '../../../core/money.ts'
import type { ListedTransfer } from '../../../rail/transfer.ts'
import type { PayoutAtBank } from '../../../storage/bank-comparison.ts'
import { BANK_CHECKS, compareTransfers } from './compare-books.ts'

describe('what is said of a difference', () => {
  const millions = (amount: bigint) => ({ send: microUsdc(amount) })
  const said = (payout: Partial<PayoutAtBank>, transfer: Partial<ListedTransfer>) =>
    compareTransfers([aPayout(payout)], [aTransfer(transfer)]).map(({ check, detail }) => `${check}: ${detail}`)

  it.each<[Partial<PayoutAtBank>, Partial<ListedTransfer>, string]>([
    [{}, millions(32_070_001n), 'sent_amount_differs: we have 32070000, the bank has 32070001'],
    [{ bankSent: microUsdc(9n) }, {}, 'sent_amount_differs: we have 9, the bank has 32070000'],
    // So much was never asked for: it is told, and not believed.
    [{}, millions(99_000_000n), 'sent_amount_differs: we have 32070000, the bank has 99000000'],
    [{}, { receive: pence(1n) }, 'received_amount_differs: we have 2500, the bank has 1'],
    [{}, { surplus: microUsdc(5n) }, 'surplus_differs: we have none, the bank has 5'],
    [{ surplus: microUsdc(4n) }, { surplusSaid: 'five' }, 'surplus_differs: we have 4, the bank has five'],
    [{}, { state: 'returned', bankState: 'returned' }, 'status_differs: we have completed, the bank has returned'],
    [
      {},
      { state: 'unknown', bankState: 'new_word' },
      'transfer_state_unknown: we have completed, the bank has new_word',
    ],
    [
      { status: 'failed', refundState: 'due' },
      {},
      'paid_after_ending: we have failed, refund due, the bank has payment_processed',
    ],
    [
      { status: 'returned', refundState: 'done' },
      { state: 'returned', refund: 'in_flight' },
      'refund_differs: we have refund done, the bank has refund in_flight',
    ],
    [
      { sendState: 'rejected', status: 'pending' },
      {},
      'transfer_after_giving_up: we have rejected, the bank has payment_processed',
    ],
    [{ transferRef: 'another' }, {}, 'transfer_of_another_payout: we have another, the bank has transfer'],
    [{ id: 'mine' }, {}, 'transfer_of_another_payout: we have mine, the bank has payout'],
  ])('%o and %o: %s', (payout, transfer, expected) => {
    expect(said(payout, transfer)).toEqual([expected])
  })

  it('is nothing where both have left over the same, or the bank does not say', () => {
    expect(said({ surplus: microUsdc(5n) }, { surplus: microUsdc(5n) })).toEqual([])
    expect(said({ surplus: microUsdc(5n) }, {})).toEqual([])
  })

  it('is all of it where much differs', () => {
    const found = said({}, { ...millions(32_070_002n), receive: pence(1n), surplus: microUsdc(5n), state: 'returned' })
    expect(found.map((each) => each.split(':')[0])).toEqual([
      'sent_amount_differs',
      'surplus_differs',
      'received_amount_differs',
      'status_differs',
    ])
  })

  it('names what one side has and the other has not', () => {
    const detailOf = (payouts: readonly PayoutAtBank[], transfers: readonly ListedTransfer[]) =>
      compareTransfers(payouts, transfers).map(({ partnerId, detail }) => [partnerId, detail])
    expect(detailOf([aPayout()], [])).toEqual([['partner', 'we have transfer transfer, the bank has none']])
    expect(detailOf([aPayout({ transferRef: null })], [])).toEqual([
      ['partner', 'we have transfer without a reference, the bank has none'],
    ])
    expect(detailOf([], [aTransfer()])).toEqual([
      [null, 'the bank has a transfer of 32070000 millionths for payout, which is payment_processed'],
    ])
    const { send: _, ...unsaid } = aTransfer({ clientReference: null })
    expect(detailOf([], [unsaid])).toEqual([
      [null, 'the bank has a transfer of so many millionths for no reference, which is payment_processed'],
    ])
    const second = aTransfer({ transferRef: 'second' })
    expect(detailOf([aPayout({ transferRef: null })], [aTransfer(), second])).toEqual([
      ['partner', 'the bank has more than one transfer for one payout'],
    ])
    expect(detailOf([], [aTransfer(), second]).at(-1)).toEqual([
      null,
      'the bank has more than one transfer for one payout',
    ])
  })
})

it('each difference keeps its name: alarms, the manual and what an operator has written down know it by that', () => {
  expect([...BANK_CHECKS].toSorted()).toEqual([
    'excess_differs',
    'more_differences',
    'paid_after_ending',
    'received_amount_differs',
    'refund_differs',
    'sent_amount_differs',
    'status_differs',
    'surplus_differs',
    'transfer_after_giving_up',
    'transfer_missing_at_bank',
    'transfer_of_another_payout',
    'transfer_state_unknown',
    'transfer_twice_at_bank',
    'transfer_unknown_here',
    'transfer_unreadable',
    'wallet_differs',
    'wallet_not_compared',
  ])
})
