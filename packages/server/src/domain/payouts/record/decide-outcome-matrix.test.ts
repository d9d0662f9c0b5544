// Every situation that any news in any order can lead a payout into, and what must hold in each of them.
import { describe, expect, it } from 'vitest'

import { LATER, NOW, SENDS, accepted, answered, sendingRow } from '../../../../test/support/outcomes.ts'
import type { TransferRefund, TransferState } from '../../../rail/transfer.ts'
import type { FollowedPayout } from '../../../storage/payouts.ts'
import { type Outcome, decideOutcome } from './decide-outcome.ts'
import { STAGES, findStage } from '../progress.ts'
import { mayMove } from '../states.ts'

const STATES: readonly TransferState[] = [
  ...(['accepted', 'awaiting_funds', 'in_review', 'submitted'] as const),
  ...(['settled', 'undeliverable', 'returned', 'cancelled', 'unknown'] as const),
]
const REFUNDS: readonly TransferRefund[] = ['none', 'in_flight', 'done', 'failed']

/** Where a payout's money belongs, in words of its own and not by the program's table. */
function whereItBelongs(row: FollowedPayout, isGivenUp: boolean): string {
  if (isGivenUp || row.refundState === 'done') return 'available'
  if (row.completedAt !== null) return 'paid_out'
  return row.sendState === 'accepted' ? 'in_transit' : 'held'
}

interface Reached {
  readonly row: FollowedPayout
  readonly isGivenUp: boolean
  /** Where the entries so far have put the money. */
  readonly moneyIn: string
  /** Whether the last entries took all of the money, and took it from where it was. */
  readonly isWhole: boolean
  readonly posted: readonly string[]
  /** Whether somebody looks at it again; what is at rest is no longer asked about. */
  readonly isWatched: boolean
  readonly trail: readonly string[]
}

const START: Reached = {
  row: sendingRow(),
  isGivenUp: false,
  moneyIn: 'held',
  isWhole: true,
  posted: [],
  isWatched: true,
  trail: [],
}

function outcomesFor({ row, isGivenUp, isWatched, trail }: Reached): Outcome[] {
  if (isGivenUp) return []
  const transfers = STATES.flatMap((state) =>
    REFUNDS.flatMap((refund) => [null, LATER].map((nextChangeAt) => accepted(state, { refund, nextChangeAt }))),
  )
  if (!isWatched) return transfers
  // A payout whose transfer is known is only read; one that is in doubt is asked for again, never first-hand.
  if (row.transferRef !== null) return [...transfers, answered('unknown', false)]
  const isFirstHand = trail.length === 0
  return [...transfers, ...(['rejected', 'not_sent', 'unknown'] as const).map((kind) => answered(kind, isFirstHand))]
}

function follow(from: Reached, outcome: Outcome): Reached {
  const { change, entries } = decideOutcome(from.row, outcome, NOW)
  let { moneyIn } = from
  let isWhole = true
  for (const entry of entries) {
    isWhole &&= entry.amount === SENDS && entry.cause === from.row.id && entry.from === moneyIn
    moneyIn = entry.to
  }
  const { answer } = outcome
  const said = answer.kind === 'accepted' ? `${answer.transfer.state}/${answer.transfer.refund}` : answer.kind
  return {
    row: { ...from.row, ...change },
    isGivenUp: change.sendState === 'not_sent' || change.sendState === 'rejected',
    moneyIn,
    isWhole,
    isWatched: change.nextCheckAt !== null,
    posted: [...from.posted, ...entries.map(({ kind, seq }) => `${kind} ${seq}`)],
    trail: [...from.trail, said],
  }
}

/** Every situation that any news in any order can lead to, with one way of getting there. */
function explore(onStep: (from: Reached, to: Reached, outcome: Outcome) => void): Reached[] {
  const keyOf = ({ row, isGivenUp, isWatched, moneyIn, posted }: Reached) =>
    [
      row.status,
      row.sendState,
      row.refundState,
      row.completedAt !== null,
      row.surfacedAt !== null,
      row.transferRef !== null,
      isGivenUp,
      isWatched,
      moneyIn,
      posted.join(),
    ].join('|')
  const found = new Map([[keyOf(START), START]])
  for (const from of found.values()) {
    for (const outcome of outcomesFor(from)) {
      const to = follow(from, outcome)
      onStep(from, to, outcome)
      // A payout has three entries at most after its hold; what has more is wrong already and leads nowhere new.
      if (!found.has(keyOf(to)) && to.posted.length <= 4) found.set(keyOf(to), to)
    }
  }
  return [...found.values()]
}

describe('whatever the bank says, in whatever order', () => {
  const steps: { from: Reached; to: Reached; outcome: Outcome }[] = []
  const reached = explore((from, to, outcome) => steps.push({ from, to, outcome }))
  const wrong = (isRight: (step: (typeof steps)[number]) => boolean) =>
    steps.filter((step) => !isRight(step)).map(({ to }) => `${to.trail.join(' > ')} = ${to.row.status}`)

  it('every status, send state and refund state is met', () => {
    const all = (name: 'status' | 'sendState' | 'refundState') => [...new Set(reached.map(({ row }) => row[name]))]
    expect(all('status').toSorted()).toEqual(['cancelled', 'completed', 'failed', 'pending', 'processing', 'returned'])
    expect(all('sendState').toSorted()).toEqual(['accepted', 'not_sent', 'rejected', 'sending', 'unknown'])
    expect(all('refundState').toSorted()).toEqual(['done', 'due', 'none'])
    expect(steps.length).toBeGreaterThan(500)
  })

  it('where the money is, and the entries, make where it belongs', () => {
    expect(wrong(({ to }) => to.moneyIn === whereItBelongs(to.row, to.isGivenUp))).toEqual([])
  })

  it('a payout is at a stage of the table: its money, its transfer and whether it is seen are as that says', () => {
    expect(
      wrong(({ to }) => {
        const stage = findStage(to.row)
        if (stage === null) return false
        const { money, isVisible, transfer } = STAGES[stage]
        return (
          money === to.moneyIn &&
          isVisible === (to.row.surfacedAt !== null) &&
          (transfer === 'made') === (to.row.transferRef !== null)
        )
      }),
    ).toEqual([])
    expect(new Set(reached.map(({ row }) => findStage(row)))).toEqual(new Set(Object.keys(STAGES)))
  })

  it('every entry moves all of the money, and out of the account where it is', () => {
    expect(wrong(({ to }) => to.isWhole)).toEqual([])
  })

  it('no effect happens twice', () => {
    expect(wrong(({ to }) => new Set(to.posted).size === to.posted.length)).toEqual([])
  })

  it('the status moves only as the table allows', () => {
    expect(
      wrong(({ from, to }) => from.row.status === to.row.status || mayMove(from.row.status, to.row.status)),
    ).toEqual([])
  })

  it('a payout that was seen stays to be seen, and one that came to nothing never was', () => {
    expect(
      wrong(({ from, to }) => {
        if (from.row.surfacedAt !== null) return to.row.surfacedAt === from.row.surfacedAt && !to.isGivenUp
        return to.isGivenUp === (to.row.surfacedAt === null)
      }),
    ).toEqual([])
  })

  it('completion happens once, at the moment it completes, and stays so', () => {
    expect(
      wrong(({ from, to }) =>
        from.row.completedAt !== null
          ? to.row.completedAt === from.row.completedAt
          : (to.row.completedAt !== null) === (to.row.status === 'completed'),
      ),
    ).toEqual([])
  })

  it('what failed has its reason, in plain words, and keeps it', () => {
    expect(
      wrong(({ from, to }) => {
        const isEnded = to.row.status === 'failed' || to.row.status === 'cancelled' || to.row.status === 'returned'
        // Only where the money is may be told anew.
        if (from.row.status === to.row.status && from.row.refundState === to.row.refundState) {
          return to.row.failureReason === from.row.failureReason
        }
        return isEnded === (to.row.failureReason !== null)
      }),
    ).toEqual([])
  })

  it('somebody looks at it again until it is at rest, and no longer', () => {
    expect(
      wrong(({ from, to, outcome }) => {
        const { nextCheckAt } = decideOutcome(from.row, outcome, NOW).change
        const { answer } = outcome
        const promised = answer.kind === 'accepted' ? answer.transfer.nextChangeAt : null
        const isBack = to.moneyIn === 'available'
        const isPaid = to.row.status === 'completed' && answer.kind === 'accepted' && promised === null
        if (isBack || isPaid) return nextCheckAt === null
        return nextCheckAt !== null && (promised === null ? nextCheckAt > NOW : nextCheckAt === promised)
      }),
    ).toEqual([])
  })

  it('silence moves nothing', () => {
    const silent = steps.filter(({ outcome }) => outcome.answer.kind === 'unknown')
    expect(silent.length).toBeGreaterThan(5)
    for (const { from, to } of silent) {
      expect([to.row.status, to.moneyIn]).toEqual([from.row.status, from.moneyIn])
    }
  })
})
