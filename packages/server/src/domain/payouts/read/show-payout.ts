// Everything that an operator needs to know about a payout, but never the recipient or the account.
import { type AlarmRow, listAlarmsOf } from '../../../storage/alarms.ts'
import { type PostedEntry, type UsdcAccount, listEntriesOf } from '../../../storage/ledger.ts'
import type { WholePayout } from '../../../storage/payouts-anywhere.ts'
import type { Deps } from '../../deps.ts'
import { findAnyPayout } from './find-any-payout.ts'

export interface ShownPayout {
  readonly row: WholePayout
  readonly entries: readonly PostedEntry[]
  /** The alarms about it, latest first. */
  readonly alarms: readonly AlarmRow[]
  /** Where the payout's money is, according to the ledger. */
  readonly moneyIn: UsdcAccount
}

export async function showPayout(deps: Pick<Deps, 'db'>, id: string): Promise<ShownPayout> {
  const { scope, row } = await findAnyPayout(deps, id)
  const entries = await listEntriesOf(deps.db, scope, row.id)
  const alarms = await listAlarmsOf(deps.db, row.id)
  return { row, entries, alarms, moneyIn: placeOf(entries) }
}

function placeOf(entries: readonly PostedEntry[]): UsdcAccount {
  const sums = new Map<UsdcAccount, bigint>()
  for (const { kind, from, to, amount } of entries) {
    // What the bank took or gave otherwise is not the payout's own money.
    if (['adjust', 'surplus', 'top_up', 'top_up_back', 'refund_diff'].includes(kind)) continue
    sums.set(from, (sums.get(from) ?? 0n) - amount)
    sums.set(to, (sums.get(to) ?? 0n) + amount)
  }
  return [...sums].find(([account, sum]) => account !== 'available' && sum > 0n)?.[0] ?? 'available'
}
