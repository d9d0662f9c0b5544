// Ends a payout in doubt on the operator's word: the hold goes back to the wallet and the payout has failed. Never
// while the bank could still act on it.
import { after } from '../../../core/clock.ts'
import { AppError } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import type { Scope } from '../../../core/scope.ts'
import { railNamed } from '../../../rail/which-rail.ts'
import { lockWalletOnRail } from '../../../storage/ledger.ts'
import { lockPayouts } from '../../../storage/payout-records.ts'
import type { PayoutRow } from '../../../storage/payouts.ts'
import { leasePayout, makeDue } from '../../../storage/payout-leases.ts'
import { addOperatorAction } from '../../activity/record-operator-action.ts'
import type { Deps } from '../../deps.ts'
import { decideOutcome } from '../record/decide-outcome.ts'
import { type FoundPayout, findAnyPayout, readAtBank } from '../read/find-any-payout.ts'
import { RELEASED } from '../record/failure-reasons.ts'
import { isInDoubt } from '../record/in-doubt.ts'
import { recordNews } from '../record/record-news.ts'
import { isBusy } from './refresh-payout.ts'
import { plansToCharge, writeDecisions } from '../record/write-decisions.ts'

const LEASE_MS = 60_000
/** A request still on its way when the bank forgets its key would be acted on as a new one. */
const MARGIN_MS = 2 * 60 * 60_000
const TOLD = 'The bank never had this payment. Nothing was charged and the money is back in the wallet.'

export async function releasePayout(deps: Deps, id: string, reason: string): Promise<FoundPayout> {
  const { scope, row } = await findAnyPayout(deps, id)
  requireReleasable(deps, row)
  const now = deps.clock.now()
  const token = newId(now)
  const lease = { id: row.id, token, now, until: after(now, LEASE_MS) }
  const leased = await deps.db.inTransaction((tx) => leasePayout(tx, scope, lease))
  if (leased === null) throw isBusy(row.id)
  try {
    const transfer = await readAtBank(deps, leased)
    if (transfer !== null) {
      await recordNews(deps, scope, [{ payoutId: row.id, transfer }])
      const message = `The bank has it after all, as transfer ${transfer.transferRef}: that is recorded, and nothing was released.`
      throw new AppError('invalid_request', message)
    }
    await fail(deps, scope, { id: row.id, token, reason })
  } catch (error) {
    await deps.db.inTransaction(async (tx) => makeDue(tx, scope, { id: row.id, token, now: deps.clock.now() }))
    throw error
  }
  return findAnyPayout(deps, id)
}

/** Refuses a payout that is not in doubt, or that the bank may still act on. */
export function requireReleasable(deps: Pick<Deps, 'rails' | 'clock'>, row: PayoutRow): void {
  if (!isInDoubt(row) || row.surfacedAt === null) {
    const message = `${row.id} is ${row.status} and not in doubt: there is no hold to release. Nothing was changed.`
    throw new AppError('invalid_request', message)
  }
  const from = after(row.createdAt, railNamed(deps, row.rail).remembersForMs + MARGIN_MS)
  if (deps.clock.now() >= from) return
  throw new AppError(
    'invalid_request',
    `The bank may still act on ${row.id}: it can be released from ${from.toISOString()} on. Nothing was changed.`,
  )
}

async function fail(deps: Deps, scope: Scope, released: { id: string; token: string; reason: string }): Promise<void> {
  const now = deps.clock.now()
  await deps.db.inTransaction(async (tx) => {
    const [[row], { rail }, plans] = await Promise.all([
      lockPayouts(tx, scope, [released.id]),
      lockWalletOnRail(tx, scope),
      plansToCharge(tx, scope),
    ])
    if (row === undefined || row.leaseToken !== released.token || !isInDoubt(row)) throw isBusy(released.id)
    const answer = { kind: 'rejected', reason: RELEASED } as const
    const decision = decideOutcome(row, { answer, isFirstHand: false }, now)
    const change = { ...decision.change, failureReason: TOLD }
    writeDecisions(tx, scope, { decided: [{ row, decision: { ...decision, change } }], rail, plans, now })
    addOperatorAction(tx, deps, { ...scope, action: 'payout.release', detail: `${row.id}: ${released.reason}` })
  })
}
