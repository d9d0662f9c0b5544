import { PAYOUT_STATUSES, UNDONE } from '@kestrel/contract'
import { describe, expect, it } from 'vitest'

import type { TransferState } from '../../rail/transfer.ts'
import { MOVES_BY_HAND, PAYOUT_MOVES, mayMove, statusAfter, statusOf } from './states.ts'

/** Row: from; column: to, in the order of PAYOUT_STATUSES. Written by hand, so that a slip in the table of the program shows. */
const TABLE: Readonly<Record<(typeof PAYOUT_STATUSES)[number], string>> = {
  //          pending processing completed failed cancelled returned
  pending: '. x x x x x',
  processing: '. . x x x x',
  completed: '. . . . . x',
  failed: '. . . . . .',
  cancelled: '. . . . . .',
  returned: '. . . . . .',
}

const CELLS = PAYOUT_STATUSES.flatMap((from) =>
  PAYOUT_STATUSES.map((to, column) => ({ from, to, isAllowed: TABLE[from].split(' ')[column] === 'x' })),
)

describe('the moves of a payout', () => {
  it('are 36 cells, ten of them allowed', () => {
    expect(CELLS).toHaveLength(36)
    expect(CELLS.filter(({ isAllowed }) => isAllowed)).toHaveLength(10)
    expect(Object.keys(PAYOUT_MOVES)).toEqual([...PAYOUT_STATUSES])
  })

  it.each(CELLS)('from $from to $to: $isAllowed', ({ from, to, isAllowed }) => {
    expect(mayMove(from, to)).toBe(isAllowed)
    expect((PAYOUT_MOVES[from] as readonly string[]).includes(to)).toBe(isAllowed)
  })

  it('by hand lead from an end that was none to completed, and no news of the bank’s makes one', () => {
    for (const from of PAYOUT_STATUSES) {
      expect(MOVES_BY_HAND[from]).toEqual(UNDONE.has(from) ? ['completed'] : [])
      for (const to of MOVES_BY_HAND[from]) expect(mayMove(from, to)).toBe(false)
    }
  })

  it('never lead back to a status that was left', () => {
    for (const { from, to } of CELLS.filter(({ isAllowed }) => isAllowed)) expect(mayMove(to, from)).toBe(false)
  })
})

const WHAT_IT_MEANS: Readonly<Record<TransferState, (typeof PAYOUT_STATUSES)[number]>> = {
  accepted: 'processing',
  awaiting_funds: 'processing',
  in_review: 'processing',
  submitted: 'processing',
  settled: 'completed',
  undeliverable: 'failed',
  returned: 'returned',
  cancelled: 'cancelled',
  unknown: 'pending',
}

describe('what the bank reports', () => {
  const reports = Object.entries(WHAT_IT_MEANS).map(([reported, status]) => ({
    reported: reported as TransferState,
    status,
  }))

  it.each(reports)('$reported makes a pending payout $status', ({ reported, status }) => {
    expect(statusAfter('pending', reported)).toBe(status)
  })

  it.each(reports.filter(({ reported }) => reported !== 'unknown'))(
    '$reported means $status',
    ({ reported, status }) => {
      expect(statusOf(reported as Exclude<TransferState, 'unknown'>)).toBe(status)
    },
  )

  it.each(
    CELLS.flatMap(({ from, to, isAllowed }) =>
      reports.filter(({ status }) => status === to).map(({ reported }) => ({ from, reported, to, isAllowed })),
    ).filter(({ from, to }) => !(from === 'completed' && UNDONE.has(to))),
  )('$reported leaves a payout that is $from alone unless it may become $to', ({ from, reported, to, isAllowed }) => {
    expect(statusAfter(from, reported)).toBe(isAllowed ? to : from)
  })

  it.each(['undeliverable', 'returned', 'cancelled'] as const)('%s after it was completed is a return', (reported) => {
    expect(statusAfter('completed', reported)).toBe('returned')
  })

  it('in a word that nobody knows changes nothing', () => {
    for (const status of PAYOUT_STATUSES) expect(statusAfter(status, 'unknown')).toBe(status)
  })

  it('in any order never takes a payout back from its end', () => {
    for (const end of ['failed', 'cancelled', 'returned'] as const) {
      for (const { reported } of reports) expect(statusAfter(end, reported)).toBe(end)
    }
    for (const { reported } of reports) {
      expect(statusAfter('completed', reported)).toBe(UNDONE.has(WHAT_IT_MEANS[reported]) ? 'returned' : 'completed')
    }
  })
})
