// Proves the sums that are kept: adds up everything again, wallet by wallet, and tells what differs. It changes nothing.
import { type AuditedWallet, FIRST_WALLET, findRollupBreaks, listWalletsAfter } from '../../storage/rollup-audit.ts'
import type { RollupBreak } from '../../storage/rollup-audit.ts'
import type { Deps } from '../deps.ts'

/** Wallets that are read at a time. */
const PAGE = 500

export interface RollupAudit {
  readonly wallets: number
  readonly breaks: number
}

/** One wallet's question is asked of one moment, so payouts may go on meanwhile. Each break is told when it is found. */
export async function auditRollups(
  deps: Pick<Deps, 'reports'>,
  tell: (wallet: AuditedWallet, found: RollupBreak) => void,
): Promise<RollupAudit> {
  let [wallets, breaks] = [0, 0]
  let page = await listWalletsAfter(deps.reports, FIRST_WALLET, PAGE)
  while (page.length > 0) {
    for (const wallet of page) {
      const found = await findRollupBreaks(deps.reports, wallet)
      for (const each of found) tell(wallet, each)
      breaks += found.length
    }
    wallets += page.length
    page = await listWalletsAfter(deps.reports, page.at(-1)!, PAGE)
  }
  return { wallets, breaks }
}
