import { describe, expect, it } from 'vitest'

import { microUsdc } from '../../../core/money.ts'
import type { RefundCheck } from '../../../storage/refund-checks.ts'
import { matchRefunds } from './match-refunds.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 6, 1, 12, minute))
const check = (payoutId: string, sent: bigint, since = at(0)): RefundCheck => ({
  payoutId,
  sent: microUsdc(sent),
  since,
  refundedAt: at(5),
  looks: 0,
})
const came = (amount: bigint, minute = 10) => ({ amount: microUsdc(amount), at: at(minute) })
const claimed = (amount: bigint, minute: number | null = null) => ({
  amount: microUsdc(amount),
  at: minute === null ? null : at(minute),
})
const found = (asked: Partial<Parameters<typeof matchRefunds>[0]>) =>
  matchRefunds({ checks: [], received: [], claimed: [], isSettled: true, ...asked }).map(
    ({ check: { payoutId }, received }) => [payoutId, received.amount],
  )

describe('what came into a wallet', () => {
  it('is a payout’s refund when it is what was sent, settled or not', () => {
    const asked = { checks: [check('a', 32n), check('b', 50n)], received: [came(50n), came(32n)] }
    expect(found({ ...asked, isSettled: false })).toEqual([
      ['a', 32n],
      ['b', 50n],
    ])
  })

  it('is a smaller refund only once nothing else can explain it', () => {
    const asked = { checks: [check('a', 32n)], received: [came(30n)] }
    expect(found({ ...asked, isSettled: false })).toEqual([])
    expect(found(asked)).toEqual([['a', 30n]])
  })

  it('is no refund if it is a deposit, or one that was found before', () => {
    const checks = [check('a', 32n)]
    expect(found({ checks, received: [came(32n)], claimed: [claimed(32n)] })).toEqual([])
    expect(found({ checks, received: [came(30n, 7)], claimed: [claimed(30n, 7)] })).toEqual([])
    expect(found({ checks, received: [came(32n, 7), came(32n, 9)], claimed: [claimed(32n, 7)] })).toEqual([['a', 32n]])
  })

  it('is matched by size where there are as many as refunds, and not at all where there are more or fewer', () => {
    const checks = [check('small', 20n), check('large', 90n)]
    expect(found({ checks, received: [came(88n), came(19n)] })).toEqual([
      ['large', 88n],
      ['small', 19n],
    ])
    expect(found({ checks, received: [came(88n)] })).toEqual([])
    expect(found({ checks, received: [came(88n), came(19n), came(18n)] })).toEqual([])
  })

  it('is no refund if it is another amount by more than a tenth, and hinders none', () => {
    const checks = [check('a', 100n)]
    expect(found({ checks, received: [came(89n)] })).toEqual([])
    expect(found({ checks, received: [came(111n)] })).toEqual([])
    expect(found({ checks, received: [came(3n), came(90n)] })).toEqual([['a', 90n]])
  })

  it('came after the payout was made', () => {
    expect(found({ checks: [check('a', 32n, at(11))], received: [came(32n, 10)] })).toEqual([])
    expect(found({ checks: [check('a', 32n, at(11))], received: [came(30n, 10)] })).toEqual([])
  })

  it('counts from the very moment that the payout was made', () => {
    const whole = { checks: [check('a', 32n, at(10))], received: [came(32n, 10)] }
    expect(found({ ...whole, isSettled: false })).toEqual([['a', 32n]])
    expect(found({ checks: [check('a', 32n, at(10))], received: [came(30n, 10)] })).toEqual([['a', 30n]])
  })

  it('is each payout’s own, whichever came first', () => {
    const checks = [check('a', 32n), check('b', 50n)]
    expect(found({ checks, received: [came(32n, 7), came(50n, 8)], isSettled: false })).toEqual([
      ['a', 32n],
      ['b', 50n],
    ])
  })

  it('is matched the largest with the largest, in whatever order they come', () => {
    const checks = [check('middle', 50n), check('small', 20n), check('large', 90n)]
    const expected = [
      ['large', 88n],
      ['middle', 51n],
      ['small', 19n],
    ]
    const amounts = [19n, 51n, 88n]
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
      [2, 0, 1],
    ]) {
      const received = order.map((index, minute) => came(amounts[index]!, 10 + minute))
      expect(found({ checks, received })).toEqual(expected)
    }
  })

  it('is matched by size only where each is likely, or nobody’s is', () => {
    const checks = [check('large', 100n), check('small', 20n)]
    expect(found({ checks, received: [came(98n), came(95n)] })).toEqual([])
  })

  it('may be more than was sent, by up to a tenth', () => {
    expect(found({ checks: [check('a', 100n)], received: [came(110n)] })).toEqual([['a', 110n]])
  })
})

describe('what is known to be another’s', () => {
  const checks = [check('a', 32n)]

  it('takes one payment of its amount out, and no other', () => {
    expect(found({ checks, received: [came(32n, 7), came(32n, 9)], claimed: [claimed(32n)] })).toEqual([['a', 32n]])
    expect(found({ checks, received: [came(32n, 7)], claimed: [claimed(99n)] })).toEqual([['a', 32n]])
    expect(found({ checks, received: [came(32n, 7)], claimed: [claimed(99n, 7)] })).toEqual([['a', 32n]])
    expect(found({ checks, received: [came(32n, 7), came(99n, 9)], claimed: [claimed(99n)] })).toEqual([['a', 32n]])
    expect(found({ checks, received: [came(99n, 7), came(32n, 9)], claimed: [claimed(99n)] })).toEqual([['a', 32n]])
    expect(found({ checks, received: [came(30n, 7), came(32n, 9)], claimed: [claimed(32n)] })).toEqual([['a', 30n]])
  })

  it('takes both of two only where both are known', () => {
    const received = [came(32n, 7), came(32n, 7)]
    expect(found({ checks, received, claimed: [claimed(32n, 7)] })).toEqual([['a', 32n]])
    expect(found({ checks, received, claimed: [claimed(32n, 7), claimed(32n, 7)] })).toEqual([])
  })

  it('is the earliest where no moment is known', () => {
    const late = [check('a', 32n, at(8))]
    expect(found({ checks: late, received: [came(32n, 9), came(32n, 7)], claimed: [claimed(32n)] })).toEqual([
      ['a', 32n],
    ])
  })

  it('is told by its moment first', () => {
    const received = [came(32n, 7), came(32n, 9)]
    expect(found({ checks, received, claimed: [claimed(32n), claimed(32n, 7)] })).toEqual([])
  })
})
