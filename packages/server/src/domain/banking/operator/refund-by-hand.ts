// What came back of a refund, on the operator's word, where the bank's history does not tell; and that the operator has
// made good what was missing.
import { AppError } from '../../../core/errors.ts'
import { type MicroUsdc, formatUsdcExact, microUsdc } from '../../../core/money.ts'
import { keepExcessMovement, lockExcessFunds } from '../../../storage/excess-funds.ts'
import { type LedgerEntry, listEntriesOf, lockWallet, postEntries } from '../../../storage/ledger.ts'
import { listOtherDifferences } from '../../../storage/refund-checks.ts'
import { addOperatorAction } from '../../activity/record-operator-action.ts'
import type { Deps } from '../../deps.ts'
import { findAnyPayout } from '../../payouts/read/find-any-payout.ts'
import { isAccountedFor } from '../reconcile/accounted-for.ts'
import { surplusAtBank } from '../reconcile/compare-wallet.ts'
import { bookRefundIn } from '../refunds/book-refund.ts'

export async function refundByHand(
  deps: Deps,
  id: string,
  { cameBack, reason }: { cameBack: MicroUsdc; reason: string },
): Promise<void> {
  const { scope, row } = await findAnyPayout(deps, id)
  await deps.db.inTransaction(async (tx) => {
    const isBooked = await bookRefundIn(tx, deps, scope, { payoutId: row.id, cameBack, receivedAt: null })
    if (!isBooked) {
      const message = `It is not open what came back of ${row.id}: it was found, or nothing was refunded. Nothing was changed.`
      throw new AppError('invalid_request', message)
    }
    const detail = `${row.id}: ${formatUsdcExact(cameBack)} USDC, ${reason}`
    addOperatorAction(tx, deps, { ...scope, action: 'payout.came_back', detail })
  })
}

/** Once the operator has moved the difference between its own wallet and the partner's, at the bank. */
export async function makeRefundGood(deps: Deps, id: string, reason: string): Promise<void> {
  const { scope, row } = await findAnyPayout(deps, id)
  const atBank = await surplusAtBank(deps, scope)
  await deps.db.inTransaction(async (tx) => {
    await lockExcessFunds(tx, scope.environment)
    await lockWallet(tx, scope)
    const entries = (await listEntriesOf(tx, scope, row.id)).filter(({ kind }) => kind === 'refund_diff')
    const [first] = entries
    if (first === undefined || entries.length > 1) throw nothingToMakeGood(row.id, entries.length > 1)
    const missing = first.from === 'refund_diff' ? first.amount : 0n - first.amount
    const others = await listOtherDifferences(tx, scope, row.id)
    if (atBank === null || !isMoved(atBank - missing, others)) throw notThere(row.id, missing, atBank)
    const at = deps.clock.now()
    postEntries(tx, scope, [goodOf(row.id, missing)], at, reason)
    await keepExcessMovement(tx, scope.environment, { reference: `made-good:${row.id}`, amount: -missing, reason, at })
    const detail = `${row.id}: ${formatUsdcExact(microUsdc(missing))} USDC, ${reason}`
    addOperatorAction(tx, deps, { ...scope, action: 'payout.made_good', detail })
  })
}

/**
 * Whether the rest by which the bank's wallet differs is other refunds': several may be made good in one movement at the
 * bank and noted one by one, and one that is on its way is missing there meanwhile.
 */
function isMoved(rest: bigint, others: readonly { missing: bigint; isFound: boolean }[]): boolean {
  const more = others.filter(({ missing, isFound }) => isFound && missing > 0n).map(({ missing }) => missing)
  const less = others.flatMap(({ missing, isFound }) => (isFound ? (missing < 0n ? [-missing] : []) : [missing]))
  const least = less.reduce((sum, each) => sum + each, 0n)
  return rest + least >= 0n && isAccountedFor(rest + least, [...more, ...less])
}

function goodOf(payoutId: string, missing: bigint): LedgerEntry {
  const entry = { cause: payoutId, kind: 'refund_diff', seq: 2 } as const
  return missing > 0n
    ? { ...entry, from: 'external', to: 'refund_diff', amount: microUsdc(missing) }
    : { ...entry, from: 'refund_diff', to: 'external', amount: microUsdc(-missing) }
}

function nothingToMakeGood(id: string, isDone: boolean): AppError {
  const message = isDone
    ? `What came back otherwise of ${id} was made good before. Nothing was changed.`
    : `${id} has no refund that brought another amount than was sent. Nothing was changed.`
  return new AppError('invalid_request', message)
}

function notThere(id: string, missing: bigint, atBank: bigint | null): AppError {
  const [wanted, has] = [formatUsdcExact(microUsdc(missing)), formatUsdcExact(microUsdc(atBank ?? 0n))]
  return new AppError(
    'invalid_request',
    `The bank’s wallet must hold ${wanted} USDC more than our books say before ${id} is made good, and it is ${has}. Move the money at the bank first. Nothing was changed.`,
  )
}
