import { railNamed } from '../../../rail/which-rail.ts'
import type { Deps } from '../../deps.ts'
import type { Payout } from '../payout.ts'
import { stageOf } from '../progress.ts'

/** Only the bank decides; this is what it said last. */
export function isCancelable(deps: Pick<Deps, 'rails'>, payout: Payout): boolean {
  const { bankState, rail } = payout
  return stageOf(payout).mayBeCancelled && bankState !== null && railNamed(deps, rail).words.stoppable.has(bankState)
}
