// Money may come in after a business was closed: a deposit, or a payout that is sent back. Nobody of that business sees
// its wallet any more, so the operator is told, and again as long as the money stays.
import { formatUsdcExact } from '../../core/money.ts'
import { listClosedWalletsWithMoney } from '../../storage/closed-wallets.ts'
import type { Deps } from '../deps.ts'
import { ringOnce } from './ring-once.ts'

export async function tellOfClosedWallets(deps: Pick<Deps, 'db' | 'clock' | 'onAlarm'>): Promise<void> {
  const what = 'a closed business has money in its live wallet' as const
  for (const { partnerId, slug, available } of await listClosedWalletsWithMoney(deps.db, what)) {
    const about = { partnerId, slug, usdc: formatUsdcExact(available) }
    await deps.db.inTransaction(async (tx) => ringOnce(deps, tx, { what, about }))
  }
}
