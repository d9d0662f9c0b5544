// A live wallet that falls below its business's threshold is told to every admin, once until it has risen again.
import { eachApart } from '../../core/each-apart.ts'
import { formatUsdcHeld } from '../../core/money.ts'
import { grouped } from '../../core/words.ts'
import { lowBalanceMail } from '../../mail/templates/wallet-mails.ts'
import { type LowBalance, claimLowBalance, forgetRisenBalances, listLowBalances } from '../../storage/low-balances.ts'
import type { Deps } from '../deps.ts'
import { notifyAdmins } from './notify-admins.ts'

export async function warnOfLowBalances(deps: Deps): Promise<void> {
  await deps.db.inTransaction(async (tx) => forgetRisenBalances(tx))
  const low = await listLowBalances(deps.db)
  try {
    await eachApart(low, (each) => warn(deps, each))
  } finally {
    if (low.length > 0) deps.post.wake()
  }
}

async function warn(deps: Deps, { partnerId, name, available, threshold }: LowBalance): Promise<void> {
  const content = lowBalanceMail({
    businessName: name,
    available: `${grouped(formatUsdcHeld(available))} USDC`,
    threshold: `${grouped(formatUsdcHeld(threshold))} USDC`,
  })
  await deps.db.inTransaction(async (tx) => {
    if (!(await claimLowBalance(tx, partnerId, deps.clock.now()))) return
    await notifyAdmins(tx, deps, { partnerId, kind: 'low_balance', weight: 'wallet', content })
  })
}
