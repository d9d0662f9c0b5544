// What the bank has not opened for a business, in words for the business; its own words are for the operator.
import type { Scope } from '../../../core/scope.ts'
import { type ConnectingTrouble, readConnectingTrouble } from '../../../storage/connecting.ts'
import type { Deps } from '../../deps.ts'

/** A try or two in vain is nothing to tell a business of. */
const TRIES_BEFORE_WORDS = 3

type Trouble = Pick<ConnectingTrouble, 'environment' | 'isHalf' | 'tries'>

export function wordsForBusiness({ isHalf, tries, environment }: Trouble): string[] {
  if (isHalf) return ['Bank transfers: the bank has opened no account in pounds yet. USDC can be sent already.']
  if (tries < TRIES_BEFORE_WORDS) return []
  const meanwhile =
    environment === 'sandbox' ? ' Until then payouts here are simulated, and no test money can be added.' : ''
  return [`The wallet: the bank has not opened it yet. We keep asking.${meanwhile}`]
}

export async function listMissingAtBank(deps: Pick<Deps, 'db'>, scope: Scope): Promise<string[]> {
  const trouble = await readConnectingTrouble(deps.db, scope)
  return trouble === null ? [] : wordsForBusiness(trouble)
}
