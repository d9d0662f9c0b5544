// Compares the operator's own wallet at the bank with what the books say should be in it.
import type { Environment } from '@kestrel/contract'

import { UnreadableAnswer } from '../../../rail/port.ts'
import { readExpectedExcess } from '../../../storage/excess-funds.ts'
import type { Deps } from '../../deps.ts'
import { askPatiently } from './ask-patiently.ts'
import type { BookBreak } from './compare-books.ts'

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
  return [{ ...about, check: 'excess_differs', detail: `we expect ${ours} millionths, the bank has ${theirs}` }]
}
