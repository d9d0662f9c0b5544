// Compares one transfer of the bank with its payout, by itself.
import type { Environment } from '@kestrel/contract'

import { UnreadableAnswer } from '../../../rail/port.ts'
import type { ListedTransfer } from '../../../rail/transfer.ts'
import { railOfBank } from '../../../rail/which-rail.ts'
import type { PayoutAtBank } from '../../../storage/bank-comparison.ts'
import { findScopes } from '../../../storage/wallets.ts'
import type { Deps } from '../../deps.ts'
import { namesAnother } from '../../payouts/record/news-concerns.ts'
import { askPatiently } from './ask-patiently.ts'
import { type BookBreak, type IsAnswered, compareListed, twiceAtBank } from './compare-books.ts'
import { type Paired, withPayouts } from './with-payouts.ts'

export interface Look {
  readonly deps: Deps
  readonly environment: Environment
  readonly isAnswered: IsAnswered
  readonly transferRef: string
  /** The transfer that the payout has already; null when it has none. */
  readonly first: string | null
}

/** The bank has it, but we cannot read it. */
export const UNREADABLE = Symbol('there, and not to be read')

export function readOne(
  deps: Deps,
  environment: Environment,
  transferRef: string,
): Promise<ListedTransfer | typeof UNREADABLE | null> {
  const rail = railOfBank(deps, environment)
  return askPatiently(() => rail.readListed(transferRef)).catch((error: unknown) => {
    if (!(error instanceof UnreadableAnswer)) throw error
    return UNREADABLE
  })
}

/** A transfer that the bank lists but does not show by itself stays as suspect as before: it was there a moment ago. */
export async function lookAtTransfer(look: Look, breaks: readonly BookBreak[]): Promise<readonly BookBreak[]> {
  const shown = await readOne(look.deps, look.environment, look.transferRef)
  if (shown === null || shown === UNREADABLE) return breaks
  const [paired] = await withPayouts(look.deps, look.environment, [shown])
  return breaksOf(look, paired!)
}

export async function breaksOf(look: Look, { payout, transfer }: Paired): Promise<BookBreak[]> {
  if (look.isAnswered(payout ?? undefined, transfer)) return []
  if (payout === null) return unknownToUs(look, transfer)
  return [...compareListed([payout], [transfer]), ...(await twice(look, payout, transfer))]
}

/** Of no payout of ours, but of somebody's wallet. */
async function unknownToUs({ deps, environment }: Look, transfer: ListedTransfer): Promise<BookBreak[]> {
  const breaks = compareListed([], [transfer])
  if (breaks.length === 0) return []
  const scopes = await findScopes(deps.db, environment, [transfer.holderRef])
  const partnerId = scopes.get(transfer.holderRef)?.scope.partnerId ?? null
  return breaks.map((each) => ({ ...each, partnerId }))
}

/** Another transfer of the same payout, beside the one that it has. */
async function twice(look: Look, payout: PayoutAtBank, transfer: ListedTransfer): Promise<BookBreak[]> {
  if (look.first === null || look.first === transfer.transferRef) return []
  const first = await readOne(look.deps, look.environment, look.first)
  const isOurs = first === UNREADABLE || (first !== null && !namesAnother(payout.id, first))
  return isOurs ? [twiceAtBank(payout.partnerId, payout.id)] : []
}
