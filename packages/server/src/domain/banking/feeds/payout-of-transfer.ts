// Which payout a transfer of the bank is about. A payout that has the transfer comes first: the bank may leave its
// reference out, and one that names another payout than the transfer belongs to is not believed.
import type { Environment } from '@kestrel/contract'

import { groupBy } from '../../../core/group-by.ts'
import type { ListedTransfer } from '../../../rail/transfer.ts'
import { type PayoutAtBank, readPayoutsOfTransfers } from '../../../storage/bank-comparison.ts'
import type { Db } from '../../../storage/sql.ts'
import type { Deps } from '../../deps.ts'

/** `several`: it is not known which of those that have the transfer is meant. */
export type Having =
  | { readonly has: 'one'; readonly payout: PayoutAtBank }
  | { readonly has: 'nobody' }
  | { readonly has: 'several' }

/** Looks up the payouts that have these transfers, whoever's they are: one query for all. */
export async function readHaving(
  deps: Pick<Deps, 'bankRails'>,
  db: Db,
  { environment, transfers }: { environment: Environment; transfers: readonly Pick<ListedTransfer, 'transferRef'>[] },
): Promise<(transfer: Pick<ListedTransfer, 'transferRef' | 'clientReference'>) => Having> {
  const refs = [...new Set(transfers.map(({ transferRef }) => transferRef))]
  const payouts = await readPayoutsOfTransfers(db, { environment, rail: deps.bankRails[environment] }, refs)
  const byTransfer = groupBy(payouts, (payout) => payout.transferRef!)
  return ({ transferRef, clientReference }) => {
    const having = byTransfer.get(transferRef) ?? []
    const payout = having.find(({ id }) => id === clientReference) ?? (having.length === 1 ? having[0] : undefined)
    if (payout !== undefined) return { has: 'one', payout }
    return { has: having.length === 0 ? 'nobody' : 'several' }
  }
}
