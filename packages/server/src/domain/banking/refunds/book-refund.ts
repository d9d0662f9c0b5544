// Books what a refund has brought into the bank's wallet, once: what differs from what the bank took is the operator's.
import type { Scope } from '../../../core/scope.ts'
import { type MicroUsdc, formatUsdcExact, microUsdc } from '../../../core/money.ts'
import { type LedgerEntry, lockWallet, postEntries } from '../../../storage/ledger.ts'
import { keepFound } from '../../../storage/refund-checks.ts'
import type { Tx } from '../../../storage/sql.ts'
import type { Deps } from '../../deps.ts'
import { tellOnce } from '../../payouts/record/tell-once.ts'

export interface FoundRefund {
  readonly payoutId: string
  readonly cameBack: MicroUsdc
  /** When the bank received it; null: somebody said so. */
  readonly receivedAt: Date | null
}

/** False when it was booked before. */
export function bookRefund(
  deps: Pick<Deps, 'db' | 'clock' | 'onAlarm'>,
  scope: Scope,
  refund: FoundRefund,
): Promise<boolean> {
  return deps.db.inTransaction((tx) => bookRefundIn(tx, deps, scope, refund))
}

export async function bookRefundIn(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'onAlarm'>,
  scope: Scope,
  { payoutId, cameBack, receivedAt }: FoundRefund,
): Promise<boolean> {
  const at = deps.clock.now()
  await lockWallet(tx, scope)
  const sent = await keepFound(tx, scope, { payoutId, cameBack, receivedAt, at })
  if (sent === null) return false
  const entries = differenceOf(payoutId, cameBack - sent)
  if (entries.length > 0) {
    const detail = { sent: formatUsdcExact(sent), cameBack: formatUsdcExact(cameBack) }
    await tellOnce(deps, tx, scope, [{ what: 'the bank gave back another amount than it took', payoutId, detail }])
  }
  postEntries(tx, scope, entries, at, 'What a refund brought otherwise than was sent')
  return true
}

/** The partner has what it sent. What the bank's wallet holds more or less than that is the operator's gain or loss. */
function differenceOf(payoutId: string, difference: bigint): LedgerEntry[] {
  const entry = { cause: payoutId, kind: 'refund_diff', seq: 1 } as const
  if (difference === 0n) return []
  return difference < 0n
    ? [{ ...entry, from: 'refund_diff', to: 'operator_result', amount: microUsdc(-difference) }]
    : [{ ...entry, from: 'operator_result', to: 'refund_diff', amount: microUsdc(difference) }]
}
