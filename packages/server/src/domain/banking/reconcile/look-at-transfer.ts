// Compares one transfer of the bank with its payout, by itself.
import type { Environment } from '@kestrel/contract'

import { UnreadableAnswer } from '../../../rail/port.ts'
import type { ListedTransfer } from '../../../rail/transfer.ts'
import { railOfBank } from '../../../rail/which-rail.ts'
import type { PayoutAtBank } from '../../../storage/bank-comparison.ts'
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
  const differences = compareListed(payout === null ? [] : [payout], [transfer])
  return [...differences, ...(await twice(look, payout, transfer))]
}

/** Another transfer of the same payout, beside the one that it has. */
async function twice(look: Look, payout: PayoutAtBank | null, transfer: ListedTransfer): Promise<BookBreak[]> {
  if (payout === null || look.first === null || look.first === transfer.transferRef) return []
  const first = await readOne(look.deps, look.environment, look.first)
  const isOurs = first === UNREADABLE || (first !== null && !namesAnother(payout.id, first))
  return isOurs ? [twiceAtBank(payout.partnerId, payout.id)] : []
}
