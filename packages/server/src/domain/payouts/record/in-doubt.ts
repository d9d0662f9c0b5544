// Whether a payout is in doubt, and whether it was given up: only one in doubt may ever be asked for again.
import { STAGES, type Stage, type Standing, findStage } from '../progress.ts'

export function isInDoubt(payout: Standing): boolean {
  return transferOf(payout) === 'perhaps'
}

/** Also a payout that ended without a transfer, because the bank refused it or the operator said so. */
export function isGivenUp(payout: Standing): boolean {
  return transferOf(payout) === 'none'
}

function transferOf(payout: Standing): Stage['transfer'] | null {
  const stage = findStage(payout)
  return stage === null ? null : STAGES[stage].transfer
}
