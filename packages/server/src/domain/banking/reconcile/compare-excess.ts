// Compares the operator's own wallet at the bank with what the books say should be in it.
import type { Environment } from '@kestrel/contract'

import { UnreadableAnswer } from '../../../rail/port.ts'
import { formatUsdcExact } from '../../../core/money.ts'
import { readExpectedExcess } from '../../../storage/excess-funds.ts'
import { type AddedInVain, listAddedInVain } from '../../../storage/top-ups-back.ts'
import type { Deps } from '../../deps.ts'
import { askPatiently } from './ask-patiently.ts'
import type { BookBreak } from './compare-books.ts'

/** As many as anybody goes through one by one. */
const MOST_NAMED = 5

export async function compareExcess(deps: Deps, environment: Environment): Promise<BookBreak[]> {
  const funds = deps.banks[environment]?.excess ?? null
  if (funds === null) return []
  const about = { partnerId: null, about: 'the operator’s own wallet' }
  const theirs = await askPatiently(() => funds.readBalance()).catch((error: unknown) => {
    if (error instanceof UnreadableAnswer) return error
    throw error
  })
  if (theirs instanceof UnreadableAnswer) return [{ ...about, check: 'wallet_not_compared', detail: theirs.message }]
  const { booked, moved } = await readExpectedExcess(deps.db, environment)
  const ours = booked + moved
  if (ours === theirs) return []
  const added = addedTo(await listAddedInVain(deps.db, environment))
  return [{ ...about, check: 'excess_differs', detail: `we expect ${ours} millionths, the bank has ${theirs}${added}` }]
}

/** What was added to payouts that came to nothing may be back in the wallet, or not. */
function addedTo(payouts: readonly AddedInVain[]): string {
  if (payouts.length === 0) return ''
  const named = payouts.slice(0, MOST_NAMED).map((each) => `${each.payoutId} (${formatUsdcExact(each.amount)} USDC)`)
  const more = payouts.length > MOST_NAMED ? ` and ${payouts.length - MOST_NAMED} more` : ''
  return `; nobody knows whether what was added is back of ${named.join(', ')}${more}`
}
