// Completes payouts of which their rail has said beforehand that they complete by now: the rail is not asked, and nobody need have a
// lease on them. What cannot be ended so is followed as any other.
import type { Environment } from '@kestrel/contract'

import { groupBy } from '../../../core/group-by.ts'
import type { ListedPayout } from '../../../storage/due-payouts.ts'
import { endAsForetold } from '../../../storage/foretold-ends.ts'
import type { Deps } from '../../deps.ts'

/** Whoever asks for a payout waits for the wallet's lock meanwhile. */
const LARGEST_BATCH = 64

/** Returns the ids of those that have ended. */
export async function endForetold(
  deps: Pick<Deps, 'db' | 'clock'>,
  environment: Environment,
  due: readonly ListedPayout[],
): Promise<ReadonlySet<string>> {
  // Those of a wallet together: each further batch locks it once more.
  const foretold = [...groupBy(due, ({ partnerId }) => partnerId).values()].flat().filter((each) => each.isForetold)
  const ended = new Set<string>()
  for (let index = 0; index < foretold.length; index += LARGEST_BATCH) {
    const batch = { due: foretold.slice(index, index + LARGEST_BATCH), now: deps.clock.now() }
    // Following them tells of whatever is in the way.
    const ids = await endAsForetold(deps.db, environment, batch).catch(() => [])
    for (const id of ids) ended.add(id)
  }
  return ended
}
