// Transfers that do not say which payout they are for. Each may be the one that is looked for, unless it is known whose it
// is: another payout has it, or the operator has taken it out of the books.
import type { RailName } from '../../../core/rail-name.ts'
import type { Scope } from '../../../core/scope.ts'
import { UnreadableAnswer } from '../../../rail/port.ts'
import type { FoundTransfers } from '../../../rail/transfer.ts'
import { readPayoutsOfTransfers } from '../../../storage/bank-comparison.ts'
import { findMovement } from '../../../storage/operator-movements.ts'
import type { Deps } from '../../deps.ts'

/** Throws UnreadableAnswer where the bank's list proves nothing: a payout that it does not name may be there all the same. */
export async function requireAllNamed(
  deps: Pick<Deps, 'db'>,
  wallet: { scope: Scope; rail: RailName },
  { nameless }: Pick<FoundTransfers, 'nameless'>,
): Promise<void> {
  const { scope, rail } = wallet
  const known = await readPayoutsOfTransfers(deps.db, { environment: scope.environment, rail }, nameless)
  const had = new Set(known.map(({ transferRef }) => transferRef))
  for (const ref of nameless.filter((each) => !had.has(each))) {
    const answer = await findMovement(deps.db, scope, `transfer:${ref}`)
    if (answer?.kind === 'debit' && answer.balance !== null) continue
    throw new UnreadableAnswer(`It has transfer ${ref}, which does not say which payout it is for.`)
  }
}
