// Completes payouts of which their rail has said beforehand that they complete by now: the rail is not asked, and nobody need have a
// lease on them. What cannot be ended so is followed as any other.
import type { Environment } from '@kestrel/contract'

import { groupBy } from '../../../core/group-by.ts'
import { isLostConnection } from '../../../core/outage.ts'
import { wasKeptWaiting } from '../../../storage/database.ts'
import type { ListedPayout } from '../../../storage/due-payouts.ts'
import { completeForetold } from '../../../storage/foretold-ends.ts'
import type { Deps } from '../../deps.ts'

/** Whoever asks for a payout waits for the wallet's lock meanwhile. */
const LARGEST_BATCH = 64

/**
 * Returns the ids of those that have ended. After a batch that cannot be ended none is tried: each might wait as long, and whoever
 * follows payouts takes the rest. Throws what a lost connection leaves unknown.
 */
export async function endAsForetold(
  deps: Pick<Deps, 'db' | 'clock'>,
  environment: Environment,
  due: readonly ListedPayout[],
  onError: (error: unknown) => void,
): Promise<ReadonlySet<string>> {
  // Those of a wallet together: each further batch locks it once more.
  const foretold = [...groupBy(due, ({ partnerId }) => partnerId).values()].flat().filter((each) => each.isForetold)
  const ended = new Set<string>()
  try {
    for (let index = 0; index < foretold.length; index += LARGEST_BATCH) {
      const batch = { due: foretold.slice(index, index + LARGEST_BATCH), now: deps.clock.now() }
      for (const id of await completeForetold(deps.db, environment, batch)) ended.add(id)
    }
  } catch (error) {
    if (isLostConnection(error)) throw error
    // A wallet that somebody has locked is no failure.
    if (!wasKeptWaiting(error)) onError(error)
  }
  return ended
}
