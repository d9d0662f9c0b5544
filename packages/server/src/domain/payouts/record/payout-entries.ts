// The entries that carry a payout's money from the account where it is to the one where it belongs.
import type { LedgerEntry, UsdcAccount } from '../../../storage/ledger.ts'
import type { FollowedPayout } from '../../../storage/payouts.ts'
import { type Stage, stageOf } from '../progress.ts'

/** None when the money is there already. */
export function entriesTo(row: FollowedPayout, to: Stage['money']): LedgerEntry[] {
  const from = stageOf(row).money
  const entry = (kind: LedgerEntry['kind'], seq: number, source: UsdcAccount, target: UsdcAccount): LedgerEntry => ({
    cause: row.id,
    kind,
    seq,
    from: source,
    to: target,
    amount: row.walletSends,
  })
  if (from === to) return []
  if (from === 'held' && to === 'available') return [entry('release', row.sendAttempts, 'held', 'available')]
  if (to === 'available') return [entry('refund', 1, from, 'available')]
  const capture = entry('capture', 1, 'held', 'in_transit')
  const settle = entry('settle', 1, 'in_transit', 'paid_out')
  if (from === 'held') return to === 'paid_out' ? [capture, settle] : [capture]
  return [settle]
}
