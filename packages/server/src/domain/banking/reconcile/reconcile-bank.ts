// Compares every wallet and every transfer with the bank's books, page by page: the memory used does not grow with the
// amount of data.
import type { Environment } from '@kestrel/contract'

import { someAtOnce } from '../../../core/some-at-once.ts'
import { type ConnectedWallet, listConnectedWallets } from '../../../storage/wallets.ts'
import type { Deps } from '../../deps.ts'
import type { BookBreak } from './compare-books.ts'
import { compareExcess } from './compare-excess.ts'
import { compareAllTransfers } from './compare-transfers.ts'
import { compareWallet } from './compare-wallet.ts'
import { type SecondLooks, createSecondLooks } from './second-looks.ts'

const MOST_AT_ONCE = 16

/** The breaks found so far are in `found` even when the bank fails in the middle and this throws. */
export async function reconcileBank(
  deps: Deps,
  environment: Environment,
  found: BookBreak[] = [],
): Promise<readonly BookBreak[]> {
  if (deps.banks[environment] === null) return found
  const looks = createSecondLooks(deps.clock, environment, found)
  const had = await compareAllTransfers(deps, environment, looks)
  await looks.lookNow()
  await compareAllWallets(deps, environment, { had, looks })
  const breaks = await compareExcess(deps, environment)
  if (breaks.length > 0) await looks.suspect({ breaks, lookAgain: () => compareExcess(deps, environment) })
  await looks.end()
  return found
}

async function compareAllWallets(
  deps: Deps,
  environment: Environment,
  { had, looks }: { had: ReadonlySet<string>; looks: SecondLooks },
): Promise<void> {
  const wallets = await listConnectedWallets(deps.db, { environment, rail: deps.bankRails[environment] })
  await someAtOnce(wallets, MOST_AT_ONCE, async (wallet: ConnectedWallet) => {
    const breaks = await compareWallet(deps, wallet, had)
    if (breaks.length > 0) await looks.suspect({ breaks, lookAgain: () => compareWallet(deps, wallet) })
  })
}
