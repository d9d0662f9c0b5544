// The bank's transfers, each with the payout that it names.
import type { Environment } from '@kestrel/contract'

import { isUuid } from '../../../core/ids.ts'
import type { ListedTransfer } from '../../../rail/transfer.ts'
import { type PayoutAtBank, readAnybodysPayoutsAtBank, readPairsAtBank } from '../../../storage/bank-comparison.ts'
import { findScopes } from '../../../storage/wallets.ts'
import type { Deps } from '../../deps.ts'

export interface Paired {
  readonly payout: PayoutAtBank | null
  readonly transfer: ListedTransfer
}

/** The payout should be in the wallet that the transfer was drawn on. If it is not, it is looked for everywhere. */
export async function withPayouts(
  deps: Deps,
  environment: Environment,
  transfers: readonly ListedTransfer[],
): Promise<Paired[]> {
  const holders = [...new Set(transfers.map((each) => each.holderRef))]
  const scopes = await findScopes(deps.db, environment, holders)
  const pairs = transfers.flatMap((transfer) => {
    const partnerId = scopes.get(transfer.holderRef)?.scope.partnerId
    return partnerId === undefined ? [] : referencesOf([transfer]).map((id) => ({ partnerId, id }))
  })
  const expected = await readPairsAtBank(deps.reports, environment, pairs)
  const found = new Map(expected.map((payout) => [payout.id, payout]))
  const strange = referencesOf(transfers).filter((id) => !found.has(id))
  const anybodys = strange.length === 0 ? [] : await readAnybodysPayoutsAtBank(deps.reports, environment, strange)
  for (const payout of anybodys) found.set(payout.id, payout)
  return transfers.map((transfer) => ({ payout: found.get(transfer.clientReference ?? '') ?? null, transfer }))
}

/** The payout ids among the references of the bank's rows. */
export function referencesOf(rows: readonly { readonly clientReference: string | null }[]): string[] {
  return rows.flatMap(({ clientReference: id }) => (id !== null && isUuid(id) ? [id] : []))
}
