import { describe, expect, it } from 'vitest'

import { BEFORE, LATER, NOW, SENDS, accepted, answered, sendingRow } from '../../../../test/support/outcomes.ts'
import { microPence, microUsdc } from '../../../core/money.ts'
import { decideOutcome } from './decide-outcome.ts'
import { nextCheck } from './next-check.ts'
import { RELEASED } from './failure-reasons.ts'

describe('the answer to the first request', () => {
  it.each([
    { state: 'submitted', status: 'processing', entries: ['capture held>in_transit'] },
    { state: 'accepted', status: 'processing', entries: ['capture held>in_transit'] },
    { state: 'in_review', status: 'processing', entries: ['capture held>in_transit'] },
    { state: 'awaiting_funds', status: 'processing', entries: ['capture held>in_transit'] },
    { state: 'settled', status: 'completed', entries: ['capture held>in_transit', 'settle in_transit>paid_out'] },
    { state: 'undeliverable', refund: 'done', status: 'failed', entries: ['release held>available'] },
    { state: 'undeliverable', status: 'failed', entries: ['capture held>in_transit'] },
    { state: 'cancelled', refund: 'done', status: 'cancelled', entries: ['release held>available'] },
    { state: 'returned', status: 'returned', entries: ['capture held>in_transit'] },
  ] as const)('$state makes it $status: $entries', ({ state, status, entries, ...rest }) => {
    const refund = 'refund' in rest ? rest.refund : 'none'
    const { change, entries: posted } = decideOutcome(sendingRow(), accepted(state, { refund }), NOW)
    expect(posted.map(({ kind, from, to }) => `${kind} ${from}>${to}`)).toEqual(entries)
    expect(change).toMatchObject({ status, sendState: 'accepted', surfacedAt: NOW, updatedAt: NOW, transferRef: 'ref' })
  })

  it('no, before anything was sent: nothing was created, and the same row waits for a retry', () => {
    const { change, entries } = decideOutcome(sendingRow({ sendAttempts: 3 }), answered('not_sent', true), NOW)
    expect(change).toMatchObject({ status: 'pending', sendState: 'not_sent', surfacedAt: null, releasedAt: null })
    expect(change.nextCheckAt).toBeNull()
    expect(entries).toMatchObject([{ kind: 'release', seq: 3, from: 'held', to: 'available', amount: SENDS }])
  })

  it('a refusal of the details: nothing was created, and the same row waits for a retry', () => {
    const { change, entries } = decideOutcome(sendingRow(), answered('rejected', true), NOW)
    expect(change).toMatchObject({ sendState: 'rejected', surfacedAt: null, releasedAt: null, nextCheckAt: null })
    expect(entries).toMatchObject([{ kind: 'release', seq: 1, from: 'held', to: 'available', amount: SENDS }])
  })

  const HOUR_LATER = new Date(NOW.getTime() + 60 * 60_000)
  const said = { reason: 'No.', isVerdict: true } as const
  it.each([
    { what: 'of the details', answer: { kind: 'rejected', ...said } },
    { what: 'of anything', answer: { kind: 'not_sent', ...said } },
    { what: 'for want of funds', answer: { kind: 'not_sent', ...said, trouble: 'funds' } },
    { what: 'of the price', answer: { kind: 'not_sent', ...said, trouble: 'rate' } },
  ] as const)('a refusal $what, once the bank has read it: the next attempt has a key of its own', (each) => {
    const row = sendingRow({ bankAttempt: 1, listedBy: null })
    const { change } = decideOutcome(row, { answer: each.answer, isFirstHand: true }, NOW)
    expect(change).toMatchObject({ bankAttempt: 2, listedBy: HOUR_LATER })
  })

  it.each(['not_sent', 'rejected'] as const)('%s before the bank has read it: the key stays good', (kind) => {
    const row = sendingRow({ bankAttempt: 1, listedBy: null })
    expect(decideOutcome(row, answered(kind, true), NOW).change).toMatchObject({ bankAttempt: 1, listedBy: null })
  })

  it.each(['not_sent', 'rejected'] as const)('none, because it was held back: it is %s as it was before', (as) => {
    const row = sendingRow({ sendAttempts: 2, bankAttempt: 2, listedBy: LATER })
    const answer = { kind: 'held_back', why: { is: 'unasked' }, as } as const
    const { change, entries } = decideOutcome(row, { answer, isFirstHand: true }, NOW)
    expect(change).toMatchObject({
      sendState: as,
      surfacedAt: null,
      bankAttempt: 2,
      listedBy: LATER,
      nextCheckAt: null,
    })
    expect(entries).toMatchObject([{ kind: 'release', seq: 2, from: 'held', to: 'available', amount: SENDS }])
  })

  it('none: the payout is pending, its money stays held, and somebody looks again in a second', () => {
    const { change, entries } = decideOutcome(sendingRow(), answered('unknown', true), NOW)
    expect(entries).toEqual([])
    expect(change).toMatchObject({ status: 'pending', sendState: 'unknown', surfacedAt: NOW, checks: 1 })
    expect(change.nextCheckAt).toEqual(new Date(NOW.getTime() + 1_000))
  })
})

describe('later news', () => {
  const inDoubt = sendingRow({ sendState: 'unknown', surfacedAt: BEFORE, checks: 4 })

  it('that a later attempt was not sent proves nothing about the first: the hold is kept', () => {
    for (const row of [inDoubt, sendingRow()]) {
      const { change, entries } = decideOutcome(row, answered('not_sent', false), NOW)
      expect(entries).toEqual([])
      expect(change).toMatchObject({ status: 'pending', sendState: 'unknown', releasedAt: null })
      expect(change.surfacedAt).not.toBeNull()
    }
  })

  it('that the details are refused fails a payout that was seen, and gives the money back', () => {
    const { change, entries } = decideOutcome(inDoubt, answered('rejected', false), NOW)
    expect(entries).toMatchObject([{ kind: 'release', from: 'held', to: 'available' }])
    expect(change).toMatchObject({ status: 'failed', releasedAt: null, nextCheckAt: null, updatedAt: NOW })
    expect(change.bankReason).toBe('refused after doubt, for the account: The bank’s words (1114)')
    expect(change.failureReason).toMatch(/^The bank rejected the account details/)
  })

  it('of a return gives the money back when the refund is there, and not before', () => {
    const completed = sendingRow({
      status: 'completed',
      sendState: 'accepted',
      surfacedAt: BEFORE,
      completedAt: BEFORE,
      transferRef: 'ref',
    })
    for (const refund of ['none', 'in_flight', 'failed'] as const) {
      const waiting = decideOutcome(completed, accepted('returned', { refund }), NOW)
      expect(waiting.entries).toEqual([])
      expect(waiting.change).toMatchObject({ status: 'returned', refundState: 'due' })
      expect(waiting.change.nextCheckAt).not.toBeNull()
      const row = { ...completed, ...waiting.change }
      const back = decideOutcome(row, accepted('returned', { refund: 'done' }), LATER)
      expect(back.entries).toMatchObject([{ kind: 'refund', seq: 1, from: 'paid_out', to: 'available', amount: SENDS }])
      expect(back.change).toMatchObject({ refundState: 'done', nextCheckAt: null, updatedAt: LATER })
      const again = decideOutcome({ ...row, ...back.change }, accepted('returned', { refund: 'done' }), LATER)
      expect(again.entries).toEqual([])
    }
  })

  it('that is no news does not touch the time of the last change', () => {
    const processing = sendingRow({ status: 'processing', sendState: 'accepted', surfacedAt: BEFORE, checks: 2 })
    const { change } = decideOutcome(processing, accepted('submitted'), NOW)
    expect(change).toMatchObject({ updatedAt: BEFORE, checks: 3 })
    expect(decideOutcome(processing, accepted('settled'), NOW).change).toMatchObject({ updatedAt: NOW, checks: 0 })
  })
})

describe('what the bank took, left over and charged', () => {
  const processing = sendingRow({
    status: 'processing',
    sendState: 'accepted',
    surfacedAt: BEFORE,
    transferRef: 'ref',
    bankSent: null,
    adjustments: 2,
    toppingUp: null,
    bankUpdatedAt: null,
  })
  const micro = (amount: bigint) => microUsdc(amount)

  it('is nothing to be booked where it is as reserved', () => {
    const decision = decideOutcome(processing, accepted('submitted', { send: SENDS }), NOW)
    expect(decision.change).toMatchObject({ bankSent: null, surplus: null, adjustments: 2 })
    expect(Object.keys(decision).toSorted()).toEqual(['change', 'entries'])
  })

  it('is booked by how much it differs, once', () => {
    const first = decideOutcome(processing, accepted('submitted', { send: micro(SENDS + 7n) }), NOW)
    expect(first).toMatchObject({ difference: 7n, change: { bankSent: SENDS + 7n, adjustments: 3 } })
    expect(first).not.toHaveProperty('surplusChange')
    const again = decideOutcome(
      { ...processing, ...first.change },
      accepted('settled', { send: micro(SENDS + 7n) }),
      NOW,
    )
    expect(again).not.toHaveProperty('difference')
    expect(again.change.adjustments).toBe(3)
  })

  it('is booked by how much more or less is left over', () => {
    const first = decideOutcome(processing, accepted('submitted', { surplus: micro(5n) }), NOW)
    expect(first).toMatchObject({ surplusChange: 5n, change: { surplus: 5n, adjustments: 3 } })
    expect(first).not.toHaveProperty('difference')
    const less = decideOutcome({ ...processing, ...first.change }, accepted('settled', { surplus: micro(2n) }), NOW)
    expect(less).toMatchObject({ surplusChange: -3n, change: { surplus: 2n, adjustments: 4 } })
    const both = { send: micro(SENDS + 7n), surplus: micro(5n) }
    expect(decideOutcome(processing, accepted('submitted', both), NOW).change.adjustments).toBe(3)
  })

  it('is passed on where it has a receipt', () => {
    const receipt = { networkCost: microPence(5n) }
    expect(decideOutcome(processing, accepted('settled', { receipt }), NOW).receipt).toEqual(receipt)
    expect(decideOutcome(processing, accepted('settled'), NOW)).not.toHaveProperty('receipt')
  })
})

describe('a payout in doubt', () => {
  const inDoubt = sendingRow({ sendState: 'unknown', surfacedAt: BEFORE, updatedAt: BEFORE, unansweredAt: null })

  it('was last without an answer when a request went out that may still arrive', () => {
    const unanswered = { answer: { kind: 'unknown', reason: '' }, isFirstHand: false } as const
    const looked = { answer: { kind: 'unknown', reason: '', nothingNew: true }, isFirstHand: false } as const
    const before = { ...inDoubt, unansweredAt: BEFORE }
    expect(decideOutcome(before, unanswered, NOW).change.unansweredAt).toEqual(NOW)
    expect(decideOutcome(before, looked, NOW).change.unansweredAt).toEqual(BEFORE)
    expect(decideOutcome(inDoubt, looked, NOW).change.unansweredAt).toEqual(NOW)
    expect(decideOutcome(before, answered('not_sent', false), NOW).change.unansweredAt).toEqual(BEFORE)
    const heldBack = {
      answer: { kind: 'held_back', why: { is: 'unasked' }, as: 'not_sent' },
      isFirstHand: true,
    } as const
    expect(decideOutcome(before, heldBack, NOW).change).toMatchObject({ unansweredAt: BEFORE, sendState: 'unknown' })
  })

  it('is not, once the bank has a transfer for it', () => {
    const row = sendingRow({
      sendState: 'accepted',
      status: 'processing',
      surfacedAt: BEFORE,
      transferRef: 'ref',
      unansweredAt: BEFORE,
    })
    expect(decideOutcome(row, answered('unknown', false), NOW).change.unansweredAt).toEqual(BEFORE)
  })

  it('is news only when it becomes so', () => {
    expect(decideOutcome(inDoubt, answered('unknown', false), NOW).change.updatedAt).toEqual(BEFORE)
    expect(decideOutcome(sendingRow(), answered('unknown', true), NOW).change.updatedAt).toEqual(NOW)
  })

  it('waits as long as a busy bank asks for, if that is longer than usual', () => {
    const busy = (retryAfterMs: number) =>
      decideOutcome(inDoubt, { answer: { kind: 'unknown', reason: '', retryAfterMs }, isFirstHand: false }, NOW).change
    expect(busy(60_000).nextCheckAt).toEqual(new Date(NOW.getTime() + 60_000))
    expect(busy(10).nextCheckAt).toEqual(nextCheck(NOW, 0))
  })

  it('is waited for by nobody once it was given up', () => {
    const givenUp = sendingRow({ sendState: 'not_sent' })
    expect(decideOutcome(givenUp, answered('unknown', false), NOW).change.nextCheckAt).toBeNull()
  })

  it('that is refused ends at that moment, in words that say for what', () => {
    const refused = (more: object) => {
      const answer = { kind: 'rejected', reason: 'The words (1114)', ...more } as const
      return decideOutcome(inDoubt, { answer, isFirstHand: false }, NOW).change
    }
    expect(refused({})).toMatchObject({ endedAt: NOW, refundedAt: NOW, refundState: 'done' })
    expect(refused({}).bankReason).toContain('for the account')
    expect(refused({ isForOrder: true }).bankReason).not.toContain('for the account')
    expect(refused({ wrong: { fields: [], why: '' } }).bankReason).not.toContain('for the account')
    expect(refused({ reason: RELEASED }).bankReason).toBe(RELEASED)
  })
})

describe('the moment of a refund', () => {
  it('is when it is heard of first, and only then', () => {
    const row = sendingRow({ status: 'processing', sendState: 'accepted', surfacedAt: BEFORE, transferRef: 'ref' })
    const due = decideOutcome(row, accepted('undeliverable', { refund: 'in_flight' }), BEFORE).change
    expect(due).toMatchObject({ refundState: 'due', refundedAt: null, endedAt: BEFORE })
    const done = decideOutcome({ ...row, ...due }, accepted('undeliverable', { refund: 'done' }), NOW).change
    expect(done).toMatchObject({ refundState: 'done', refundedAt: NOW, endedAt: BEFORE })
    const again = decideOutcome({ ...row, ...done }, accepted('undeliverable', { refund: 'done' }), LATER).change
    expect(again).toMatchObject({ refundedAt: NOW, endedAt: BEFORE })
  })

  it('is not that of a stop which cannot be: what had arrived, or was handed over, did leave', () => {
    const completed = sendingRow({
      status: 'completed',
      sendState: 'accepted',
      surfacedAt: BEFORE,
      completedAt: BEFORE,
      transferRef: 'ref',
    })
    expect(decideOutcome(completed, accepted('cancelled', { refund: 'done' }), NOW).change.refundState).toBe('due')
    const sent = sendingRow({
      status: 'processing',
      sendState: 'accepted',
      surfacedAt: BEFORE,
      handedOverAt: BEFORE,
      transferRef: 'ref',
    })
    const word = { refund: 'done', impossibleAfter: new Set(['payment_submitted']) } as const
    const stopped = accepted('cancelled', word)
    expect(decideOutcome(sent, stopped, NOW).change.refundState).toBe('due')
    expect(decideOutcome({ ...sent, handedOverAt: null }, stopped, NOW).change.refundState).toBe('done')
    const takenBack = accepted('cancelled', { ...word, isTakenBack: true })
    expect(decideOutcome({ ...sent, environment: 'sandbox' }, takenBack, NOW).change.refundState).toBe('done')
    expect(decideOutcome({ ...sent, environment: 'live' }, takenBack, NOW).change.refundState).toBe('due')
  })
})
