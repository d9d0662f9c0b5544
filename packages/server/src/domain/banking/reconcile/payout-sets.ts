// Counts payouts into sets by the end of their ids, so that two sides can be compared without keeping either. A set is
// a count and all its ids mixed into one figure: where two sides differ by one payout, the figures say which.
import type { PayoutSet } from '../../../storage/bank-comparison.ts'

export interface PayoutSets {
  readonly add: (payoutId: string) => void
  /** The sets that differ from ours. */
  readonly differences: (ours: readonly PayoutSet[]) => readonly SetDifference[]
}

export interface SetDifference {
  readonly name: string
  /** The end of the one id that can be meant, if the sides differ by one payout; null when they differ by more. */
  readonly end: string | null
}

export function createPayoutSets(): PayoutSets {
  const sets = new Map<string, PayoutSet>()
  return {
    add: (payoutId) => {
      const name = payoutId.slice(-3)
      const { count, mix } = sets.get(name) ?? { count: 0, mix: 0n }
      sets.set(name, { name, count: count + 1, mix: mix ^ figureOf(payoutId) })
    },
    differences: (ours) =>
      ours.flatMap(({ name, count, mix }) => {
        const theirs = sets.get(name) ?? { count: 0, mix: 0n }
        if (theirs.count === count && theirs.mix === mix) return []
        return { name, end: Math.abs(count - theirs.count) === 1 ? endOf(mix ^ theirs.mix) : null }
      }),
  }
}

/** An id's last sixteen digits, which are random. */
function figureOf(payoutId: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${payoutId.replaceAll('-', '').slice(-16)}`))
}

function endOf(figure: bigint): string {
  return BigInt.asUintN(64, figure).toString(16).padStart(16, '0')
}
