// Two sets of books, side by side: what agrees says nothing, and each thing that does not has its name.
import { describe, expect, it } from 'vitest'

import { aPayout, aTransfer } from '../../../../test/support/two-books.ts'
import { microUsdc, pence } from '../../../core/money.ts'
import type { ListedTransfer } from '../../../rail/transfer.ts'
import type { PayoutAtBank } from '../../../storage/bank-comparison.ts'
import { compareListed, compareTransfers, expectedAtBank, unreadable } from './compare-books.ts'

const checks = (payout: Partial<PayoutAtBank>, transfer: Partial<ListedTransfer>) =>
  compareTransfers([aPayout(payout)], [aTransfer(transfer)]).map(({ check, about }) => ({ check, about }))

describe('a payout and its transfer', () => {
  it.each<[PayoutAtBank['status'], ListedTransfer['state'], Partial<PayoutAtBank>?]>([
    ['completed', 'settled'],
    ['processing', 'accepted'],
    ['processing', 'in_review'],
    ['processing', 'submitted'],
    ['processing', 'awaiting_funds'],
    ['failed', 'undeliverable', { refundState: 'due' }],
    ['failed', 'undeliverable', { refundState: 'done' }],
    ['returned', 'returned', { refundState: 'due' }],
    ['cancelled', 'cancelled', { refundState: 'done' }],
  ])('agree when it is %s here and %s there', (status, state, more = {}) => {
    expect(checks({ status, ...more }, { state })).toEqual([])
  })

  it.each<[PayoutAtBank['status'], ListedTransfer['state']]>([
    ['pending', 'awaiting_funds'],
    ['processing', 'settled'],
    ['processing', 'undeliverable'],
    ['processing', 'returned'],
    ['processing', 'cancelled'],
    ['completed', 'returned'],
    ['completed', 'submitted'],
    ['completed', 'undeliverable'],
    ['completed', 'cancelled'],
    ['failed', 'submitted'],
    ['failed', 'accepted'],
    ['cancelled', 'submitted'],
    ['returned', 'in_review'],
  ])('differ when it is %s here and %s there', (status, state) => {
    expect(checks({ status }, { state })).toEqual([{ check: 'status_differs', about: 'payout' }])
  })

  // Money left the bank for good, and is back in our wallet or is waited for: nothing could be more wrong.
  it.each<[PayoutAtBank['status'], ListedTransfer['state']]>([
    ['failed', 'settled'],
    ['cancelled', 'settled'],
    ['returned', 'settled'],
  ])('differ when it is %s here and %s there', (status, state) => {
    for (const refundState of ['due', 'done'] as const) {
      expect(checks({ status, refundState }, { state })).toEqual([{ check: 'paid_after_ending', about: 'payout' }])
    }
  })

  it('differ by a millionth sent, or by a penny received, either way', () => {
    for (const send of [32_070_001n, 32_069_999n]) {
      expect(checks({}, { send: microUsdc(send) })).toEqual([{ check: 'sent_amount_differs', about: 'payout' }])
    }
    for (const receive of [2_501n, 2_499n]) {
      expect(checks({}, { receive: pence(receive) })).toEqual([{ check: 'received_amount_differs', about: 'payout' }])
    }
  })

  it('differ when the transfer is not the one that we were told of', () => {
    expect(checks({ transferRef: 'another' }, {})).toEqual([{ check: 'transfer_of_another_payout', about: 'payout' }])
  })

  it('differ when the bank has refunded and we still wait for it', () => {
    const undone = { status: 'returned', refundState: 'due' } as const
    expect(checks(undone, { state: 'returned', refund: 'done' })).toEqual([
      { check: 'refund_differs', about: 'payout' },
    ])
    expect(checks({ ...undone, refundState: 'done' }, { state: 'returned', refund: 'done' })).toEqual([])
  })

  // Ours says that the money is back in the wallet; the bank says that it is not there yet, or never will be.
  it.each(['in_flight', 'failed'] as const)('differ when we have given back what the bank has %s', (refund) => {
    expect(checks({ status: 'returned', refundState: 'done' }, { state: 'returned', refund })).toEqual([
      { check: 'refund_differs', about: 'payout' },
    ])
  })

  it.each(['not_sent', 'rejected'] as const)('must not both exist when we said that it was %s', (sendState) => {
    expect(checks({ sendState, status: 'pending', transferRef: null }, {})).toEqual([
      { check: 'transfer_after_giving_up', about: 'payout' },
    ])
  })

  it('differ, by the status alone, before we know of it', () => {
    for (const sendState of ['sending', 'unknown'] as const) {
      expect(checks({ sendState, status: 'pending', transferRef: null }, { state: 'awaiting_funds' })).toEqual([
        { check: 'status_differs', about: 'payout' },
      ])
    }
  })
})

describe('one without the other', () => {
  it('is a payout that the bank does not have, if the bank said that it had it', () => {
    expect(compareTransfers([aPayout()], [])).toMatchObject([{ check: 'transfer_missing_at_bank', about: 'payout' }])
    for (const sendState of ['sending', 'unknown', 'not_sent', 'rejected'] as const) {
      expect(compareTransfers([aPayout({ sendState, status: 'pending' })], [])).toEqual([])
    }
  })

  it('is a transfer that we do not have', () => {
    for (const clientReference of ['stranger', null]) {
      expect(compareTransfers([], [aTransfer({ clientReference })])).toMatchObject([
        { check: 'transfer_unknown_here', about: 'transfer', partnerId: null },
      ])
    }
  })

  it('is no transfer that we do not have once its money is back: nothing of it has left the wallet', () => {
    const back = { clientReference: 'stranger', state: 'undeliverable', bankState: 'refunded', refund: 'done' } as const
    expect(compareTransfers([], [aTransfer(back)])).toEqual([])
    for (const refund of ['in_flight', 'failed', 'none'] as const) {
      expect(compareTransfers([], [aTransfer({ ...back, refund })])).toMatchObject([{ check: 'transfer_unknown_here' }])
    }
  })

  it('is a transfer too many for one payout', () => {
    const found = compareTransfers([aPayout()], [aTransfer(), aTransfer({ transferRef: 'second' })])
    expect(found.map((each) => each.check)).toEqual(['transfer_of_another_payout', 'transfer_twice_at_bank'])
    expect(found.map((each) => each.about)).toEqual(['payout', 'payout'])
  })

  it('is two payouts whose transfers were swapped', () => {
    const payouts = [aPayout({ id: 'a', transferRef: 'ta' }), aPayout({ id: 'b', transferRef: 'tb' })]
    const swapped = [
      aTransfer({ transferRef: 'ta', clientReference: 'b' }),
      aTransfer({ transferRef: 'tb', clientReference: 'a' }),
    ]
    expect(
      compareTransfers(payouts, swapped)
        .map(({ check, about }) => `${check} ${about}`)
        .toSorted(),
    ).toEqual(['transfer_of_another_payout a', 'transfer_of_another_payout b'])
  })

  it('is nothing at all when there is nothing', () => {
    expect(compareTransfers([], [])).toEqual([])
  })
})

describe('a transfer of a payout that the bank’s list calls otherwise', () => {
  it('is told by the reference that the bank gave it, where it has none of ours', () => {
    expect(compareTransfers([aPayout()], [aTransfer({ clientReference: null })])).toEqual([])
    expect(compareListed([aPayout()], [aTransfer({ clientReference: null })])).toEqual([])
  })

  it('is told by our own, where we have not heard of the bank’s', () => {
    expect(compareTransfers([aPayout({ transferRef: null })], [aTransfer()])).toEqual([])
  })
})

describe('what the operator has answered for', () => {
  const isAnswered = (_: unknown, { transferRef }: ListedTransfer) => transferRef === 'second'
  const twice = [aTransfer(), aTransfer({ transferRef: 'second' })]

  it('is no break any more, and what is left is compared', () => {
    expect(compareTransfers([aPayout()], twice, { isAnswered })).toEqual([])
    expect(compareListed([aPayout()], twice, isAnswered)).toEqual([])
    const wrong = [aTransfer({ state: 'returned' }), aTransfer({ transferRef: 'second' })]
    expect(compareTransfers([aPayout()], wrong, { isAnswered }).map(({ check }) => check)).toEqual(['status_differs'])
    expect(compareTransfers([], [aTransfer({ transferRef: 'second' })], { isAnswered })).toEqual([])
  })

  it('is asked with the payout that the transfer is of, and without where it is nobody’s', () => {
    const asked: unknown[] = []
    const transfers = [aTransfer(), aTransfer({ transferRef: 'second', clientReference: 'stranger' })]
    compareListed([aPayout()], transfers, (payout, { transferRef }) => asked.push([payout?.id, transferRef]) < 0)
    expect(asked).toEqual([
      ['payout', 'transfer'],
      [undefined, 'second'],
    ])
  })
})

describe('a transfer that nobody can read', () => {
  const row = { transferRef: 'transfer', clientReference: 'payout', why: 'its amount is no amount' }
  const said = 'the bank’s transfer transfer: its amount is no amount'

  it('is told as the payout’s, which is not missing then', () => {
    expect(compareTransfers([aPayout()], [], { unread: [row] })).toEqual([
      { check: 'transfer_unreadable', partnerId: 'partner', about: 'payout', detail: said },
    ])
    expect(compareTransfers([aPayout()], [], { unread: [{ ...row, clientReference: null }] })).toEqual([
      { check: 'transfer_unreadable', partnerId: null, about: 'transfer', detail: said },
    ])
  })

  it('is told as nobody’s where it is nobody’s', () => {
    expect(unreadable(undefined, row)).toMatchObject({ partnerId: null, about: 'transfer' })
    const strange = { transferRef: 'strange', clientReference: null, why: 'no state' }
    expect(compareTransfers([aPayout()], [aTransfer()], { unread: [strange] })).toEqual([
      {
        check: 'transfer_unreadable',
        partnerId: null,
        about: 'strange',
        detail: 'the bank’s transfer strange: no state',
      },
    ])
  })
})

describe('what the bank’s wallet must hold', () => {
  const held = (sendState: PayoutAtBank['sendState'], status: PayoutAtBank['status'] = 'pending') =>
    aPayout({ id: sendState, sendState, status, walletSends: microUsdc(5n) })
  const expected = (payouts: readonly PayoutAtBank[], known: readonly string[] = []) =>
    expectedAtBank(microUsdc(100n), payouts, (id) => known.includes(id))

  it('is what can be spent, and what is held for payouts that the bank does not have', () => {
    expect(expected([])).toBe(100n)
    expect(expected([held('sending'), held('unknown')])).toBe(110n)
  })

  it('is without what the bank has taken already, whether or not we know', () => {
    expect(expected([held('sending'), held('unknown')], ['unknown'])).toBe(105n)
    expect(expected([held('accepted', 'processing'), held('accepted', 'completed')])).toBe(100n)
  })

  it('is with nothing for what was given up, which is spendable again', () => {
    expect(expected([held('not_sent'), held('rejected'), held('unknown', 'failed')])).toBe(100n)
  })
})
