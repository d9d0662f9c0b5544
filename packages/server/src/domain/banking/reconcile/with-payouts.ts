// The bank's transfers, each with the payout that has it, or else the one that it names.
import type { Environment } from '@kestrel/contract'

import { isUuid } from '../../../core/ids.ts'
import type { ListedTransfer } from '../../../rail/transfer.ts'
import { type PayoutAtBank, readAnybodysPayoutsAtBank, readPairsAtBank } from '../../../storage/bank-comparison.ts'
import { findScopes } from '../../../storage/wallets.ts'
import type { Deps } from '../../deps.ts'
import { readHaving } from '../feeds/payout-of-transfer.ts'

export interface Paired {
  readonly payout: PayoutAtBank | null
  readonly transfer: ListedTransfer
}

/** A payout that is named should be in the wallet that the transfer was drawn on. If not, it is looked for everywhere. */
export async function withPayouts(
  deps: Deps,
  environment: Environment,
  transfers: readonly ListedTransfer[],
): Promise<Paired[]> {
  const having = await readHaving(deps, deps.reports, { environment, transfers })
  const unknown = transfers.filter((transfer) => having(transfer).has === 'nobody')
  const named = await readNamed(deps, environment, unknown)
  return transfers.map((transfer) => {
    const known = having(transfer)
    if (known.has !== 'nobody') return { payout: known.has === 'one' ? known.payout : null, transfer }
    return { payout: named.get(transfer.clientReference ?? '') ?? null, transfer }
  })
}

async function readNamed(
  deps: Deps,
  environment: Environment,
  transfers: readonly ListedTransfer[],
): Promise<ReadonlyMap<string, PayoutAtBank>> {
  if (transfers.length === 0) return new Map()
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
  return found
}

/** The payout ids among the references of the bank's rows. */
export function referencesOf(rows: readonly { readonly clientReference: string | null }[]): string[] {
  return rows.flatMap(({ clientReference: id }) => (id !== null && isUuid(id) ? [id] : []))
}
