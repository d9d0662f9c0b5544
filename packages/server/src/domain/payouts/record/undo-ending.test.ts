import { describe, expect, it } from 'vitest'

import { BEFORE, LATER, NOW, SENDS, accepted, sendingRow } from '../../../../test/support/outcomes.ts'
import { microUsdc } from '../../../core/money.ts'
import type { TransferSnapshot, TransferState } from '../../../rail/transfer.ts'
import type { FollowedPayout } from '../../../storage/payouts.ts'
import { stageNameOf } from '../progress.ts'
import { decideOutcome } from './decide-outcome.ts'
import { undoEnding } from './undo-ending.ts'

const said = (state: TransferState, more: Partial<TransferSnapshot> = {}) => accepted(state, more)
const transferOf = (outcome: ReturnType<typeof said>) =>
  (outcome.answer as Extract<typeof outcome.answer, { kind: 'accepted' }>).transfer

/** A payout after the bank has said these things, one after the other. */
function after(...outcomes: readonly ReturnType<typeof said>[]): FollowedPayout {
  return outcomes.reduce<FollowedPayout>(
    (row, outcome) => ({ ...row, ...decideOutcome(row, outcome, BEFORE).change }),
    sendingRow(),
  )
}

const ENDINGS = [
  { ended: after(said('settled'), said('returned', { refund: 'in_flight', reason: 'Closed' })), had: true },
  { ended: after(said('settled'), said('undeliverable', { refund: 'in_flight' })), had: true },
  { ended: after(said('submitted'), said('returned', { refund: 'in_flight' })), had: false },
  { ended: after(said('submitted'), said('undeliverable', { refund: 'failed' })), had: false },
  { ended: after(said('submitted'), said('cancelled', { refund: 'in_flight' })), had: false },
].map((each) => ({ ...each, stage: stageNameOf(each.ended), status: each.ended.status }))

describe('an ending that is undone', () => {
  it.each(ENDINGS)('$status at $stage: its money is where a paid one’s is, and it is as if never told', (each) => {
    const { ended, had } = each
    const { decision, ending } = undoEnding(ended, transferOf(said('settled')), NOW)
    const { change, entries } = decision
    expect(entries.map(({ kind, from, to }) => `${kind} ${from}>${to}`)).toEqual(
      had ? [] : ['settle in_transit>paid_out'],
    )
    expect(change).toMatchObject({
      fromStatus: ended.status,
      status: 'completed',
      refundState: 'none',
      completedAt: had ? BEFORE : NOW,
      endedAt: null,
      failureReason: null,
      bankReason: null,
      nextCheckAt: null,
      endingsUndone: 1,
      updatedAt: NOW,
      checks: 0,
    })
    const { status, failureReason } = ended
    expect(ending).toEqual({ status, failureReason, hadCompleted: had, endedAt: BEFORE, undoneAt: NOW })
    // A true return comes back from there, once.
    const back = decideOutcome({ ...ended, ...change }, said('returned', { refund: 'done' }), LATER)
    expect(back.entries.map(({ kind, seq, from, to }) => `${kind} ${seq} ${from}>${to}`)).toEqual([
      'refund 1 paid_out>available',
    ])
    expect(back.change).toMatchObject({ status: 'returned', endedAt: LATER, endingsUndone: 1 })
  })

  it('books what the bank took more only once', () => {
    const took = microUsdc(SENDS + 5n)
    const ended = after(said('settled', { send: took }), said('returned', { refund: 'in_flight', send: took }))
    expect(undoEnding(ended, transferOf(said('settled', { send: took })), NOW).decision.difference).toBeUndefined()
    const less = microUsdc(SENDS + 2n)
    expect(undoEnding(ended, transferOf(said('settled', { send: less })), NOW).decision.difference).toBe(-3n)
  })

  it('is undone no earlier than it was told, although the clock that told it was ahead', () => {
    const ended = { ...ENDINGS[0]!.ended, endedAt: LATER, updatedAt: BEFORE }
    const { ending, decision } = undoEnding(ended, transferOf(said('settled')), NOW)
    expect(ending).toMatchObject({ endedAt: LATER, undoneAt: LATER })
    expect(decision.change.updatedAt).toEqual(NOW)
  })

  it('is dated by the last change where a row of long ago does not say when it ended', () => {
    const ended = { ...ENDINGS[0]!.ended, endedAt: null, updatedAt: BEFORE }
    expect(undoEnding(ended, transferOf(said('settled')), NOW).ending.endedAt).toEqual(BEFORE)
  })

  it('is none of what was given back, of what never ended, or of what the bank does not stand by', () => {
    const settled = transferOf(said('settled'))
    const refunded = after(said('settled'), said('returned', { refund: 'done' }))
    for (const row of [refunded, after(said('settled')), after(said('submitted'))]) {
      expect(() => undoEnding(row, settled, NOW)).toThrow('never taken for paid')
    }
    expect(() => undoEnding(ENDINGS[0]!.ended, transferOf(said('submitted')), NOW)).toThrow('stands by')
  })
})
