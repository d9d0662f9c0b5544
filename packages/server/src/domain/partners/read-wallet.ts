import { assert } from '../../core/assert.ts'
import type { Scope } from '../../core/scope.ts'
import { findWallet } from '../../storage/partners.ts'
import type { Deps } from '../deps.ts'

/** Where a partner's USDC is kept: one wallet of its own in each environment. */
export async function readWallet(
  deps: Pick<Deps, 'db'>,
  scope: Scope,
): Promise<{ chain: string; address: string | null }> {
  const wallet = await findWallet(deps.db.lookup, scope.partnerId, scope.environment)
  assert(wallet !== null, 'every partner has a wallet in both environments')
  return wallet
}
