// Transfers as the bank lists them, brought home: whose they are, and what that means for their payouts.
import type { Environment, RailName } from '@kestrel/contract'

import { groupBy } from '../../core/group-by.ts'
import { isUuid } from '../../core/ids.ts'
import { scopeKey } from '../../core/scope.ts'
import type { ListedTransfer } from '../../rail/rail.ts'
import { findScopes } from '../../storage/wallets.ts'
import type { Deps } from '../deps.ts'
import { recordNews } from '../payouts/record-news.ts'

export function providerRail(environment: Environment): RailName {
  return environment === 'live' ? 'provider_production' : 'provider_sandbox'
}

export async function applyTransfers(
  deps: Deps,
  environment: Environment,
  transfers: readonly ListedTransfer[],
): Promise<void> {
  const ours = transfers.filter((transfer) => transfer.clientReference !== null && isUuid(transfer.clientReference))
  const scopes = await findScopes(deps.db, environment, [...new Set(ours.map((transfer) => transfer.customerRef))])
  const placed = ours.flatMap((transfer) => {
    const owner = scopes.get(transfer.customerRef)
    return owner === undefined ? [] : [{ scope: owner.scope, transfer }]
  })
  for (const own of groupBy(placed, ({ scope }) => scopeKey(scope)).values()) {
    const news = own.map(({ transfer }) => ({ payoutId: transfer.clientReference!, transfer }))
    await recordNews(deps, own[0]!.scope, news)
  }
}
