// A live wallet that falls below its business's threshold is told to every admin, once until it has risen again.
import { eachApart } from '../../core/each-apart.ts'
import { formatUsdcHeld } from '../../core/money.ts'
import { grouped } from '../../core/words.ts'
import { lowBalanceMail } from '../../mail/templates/wallet-mails.ts'
import {
  type LowBalance,
  claimLowBalance,
  forgetLowBalance,
  listLowBalances,
  listRisenBalances,
} from '../../storage/low-balances.ts'
import { noteEvents } from '../../storage/note-events.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { notifyAdmins } from './notify-admins.ts'

export async function warnOfLowBalances(deps: Deps): Promise<void> {
  await eachApart(await listRisenBalances(deps.db), (each) => forget(deps, each))
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
    noteBalance(tx, { partnerId, available, threshold }, { type: 'balance.low', at: deps.clock.now() })
  })
}

/** A threshold that was taken away has not been reached. */
async function forget(deps: Deps, { partnerId, available, threshold }: Risen): Promise<void> {
  await deps.db.inTransaction(async (tx) => {
    if (!(await forgetLowBalance(tx, partnerId)) || threshold === null) return
    noteBalance(tx, { partnerId, available, threshold }, { type: 'balance.recovered', at: deps.clock.now() })
  })
}

type Risen = Awaited<ReturnType<typeof listRisenBalances>>[number]

function noteBalance(
  tx: Tx,
  { partnerId, available, threshold }: Pick<LowBalance, 'partnerId' | 'available' | 'threshold'>,
  { type, at }: { type: 'balance.low' | 'balance.recovered'; at: Date },
): void {
  const data = {
    object: 'balance',
    usdc: formatUsdcHeld(available),
    low_balance_usdc: formatUsdcHeld(threshold),
  }
  const scope = { partnerId, environment: 'live' } as const
  noteEvents(tx, scope, [{ type, subject: { object: 'account', id: partnerId }, data }], at)
}
