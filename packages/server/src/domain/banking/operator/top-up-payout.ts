// Adds what a payout lacks at the bank from the operator's own wallet there, on the operator's word. What is asked for is
// kept before the bank is asked: again, from two terminals or after a kill, the same is asked for and added once.
import { after } from '../../../core/clock.ts'
import { AppError } from '../../../core/errors.ts'
import { formatUsdcExact, microUsdc } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import { type OperatorFunds, ROWS_COME_WITHIN_MS, RailUnavailable } from '../../../rail/port.ts'
import type { TransferSnapshot } from '../../../rail/transfer.ts'
import { lockPayouts } from '../../../storage/payout-records.ts'
import { type PayoutTopUp, beginTopUp, lastTopUp } from '../../../storage/payout-top-ups.ts'
import type { PayoutRow } from '../../../storage/payouts.ts'
import type { Tx } from '../../../storage/sql.ts'
import type { Deps } from '../../deps.ts'
import { findAnyPayout, readAtBank } from '../../payouts/read/find-any-payout.ts'
import { recordNews } from '../../payouts/record/record-news.ts'
import { bookTopUp, closeRefused } from './book-top-up.ts'
import { requireRemembered, settleForgotten } from './forgotten-top-up.ts'

type TopUp = Pick<PayoutTopUp, 'nth' | 'transferRef' | 'amount'>

export async function topUpPayout(deps: Deps, id: string): Promise<void> {
  const { scope, row } = await findAnyPayout(deps, id)
  const funds = deps.banks[scope.environment]?.excess ?? null
  if (funds === null) {
    const variable = scope.environment === 'live' ? 'BANK_LIVE_EXCESS_WALLET' : 'BANK_SANDBOX_EXCESS_WALLET'
    throw refused(`Your own wallet at the bank is not named: set ${variable}. Nothing was moved.`)
  }
  await settleForgotten(deps, { scope, row, funds })
  const transfer = await readAtBank(deps, row)
  const topUp = await deps.db.inTransaction((tx) => begin(tx, deps, { scope, row, transfer }))
  await add(deps, { scope, payoutId: row.id, topUp, funds })
  const shown = await readAtBank(deps, row)
  if (shown !== null) await recordNews(deps, scope, [{ payoutId: row.id, transfer: shown }])
}

/** Under the payout's lock: one that was begun and not answered is asked for again, as it was. */
async function begin(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'rails'>,
  { scope, row, transfer }: { scope: Scope; row: PayoutRow; transfer: TransferSnapshot | null },
): Promise<TopUp> {
  const payoutId = row.id
  await lockPayouts(tx, scope, [payoutId])
  const last = await lastTopUp(tx, scope, payoutId)
  if (last !== null && last.addedAt === null && last.refusedAt === null) {
    requireRemembered(deps, row, last)
    return last
  }
  if (transfer === null || transfer.state !== 'awaiting_funds' || transfer.missing === undefined) {
    throw refused(
      `${payoutId} lacks nothing at the bank: it is ${transfer?.bankState ?? 'unknown there'}. Nothing was moved.`,
    )
  }
  if (transfer.missing === 0n || transfer.missing > row.walletSends) throw notSensible(row, transfer.missing)
  const now = deps.clock.now()
  requireCounted(last, transfer, now)
  const topUp = {
    nth: (last?.nth ?? 0) + 1,
    transferRef: transfer.transferRef,
    amount: transfer.missing,
    askedAt: now,
  }
  beginTopUp(tx, scope, payoutId, topUp)
  return topUp
}

/** The rate does not move so far in a day: a bank that asks for more than all that was sent asks in error. */
function notSensible({ id, walletSends }: PayoutRow, missing: bigint): AppError {
  const [asked, sent] = [formatUsdcExact(microUsdc(missing)), formatUsdcExact(walletSends)]
  return refused(
    `The bank asks for ${asked} USDC more for ${id}, and the wallet sent ${sent}. That makes no sense: ask the bank. Nothing was moved.`,
  )
}

/** A bank that asks for as much as before may not have counted what it was given. */
function requireCounted(last: PayoutTopUp | null, transfer: TransferSnapshot, now: Date): void {
  if (last?.addedAt == null || transfer.missing! < last.amount) return
  const from = after(last.addedAt, ROWS_COME_WITHIN_MS)
  if (now >= from) return
  throw refused(
    `The bank was given ${formatUsdcExact(last.amount)} USDC for it at ${last.addedAt.toISOString()} and still asks for ${formatUsdcExact(transfer.missing!)}. It may not have counted that yet: try again from ${from.toISOString()} on. Nothing was moved.`,
  )
}

async function add(
  deps: Deps,
  { scope, payoutId, topUp, funds }: { scope: Scope; payoutId: string; topUp: TopUp; funds: OperatorFunds },
): Promise<void> {
  const { nth, transferRef, amount } = topUp
  const answer = await funds
    .addToTransfer({ transferRef, amount, key: `top-up:${payoutId}:${nth}` })
    .catch((error: unknown) => {
      if (!(error instanceof RailUnavailable)) throw error
      throw new AppError(
        'bank_unavailable',
        `The bank did not say whether it added ${formatUsdcExact(amount)} USDC. Run the command again: it asks for the same, once. ${error.message}`,
      )
    })
  const at = deps.clock.now()
  if (answer.kind === 'refused') {
    await deps.db.inTransaction((tx) => closeRefused(tx, { scope, payoutId, nth, at }))
    throw refused(`The bank refused to add ${formatUsdcExact(amount)} USDC: ${answer.reason} Nothing was moved.`)
  }
  await deps.db.inTransaction((tx) => bookTopUp(tx, deps, { scope, payoutId, nth, at }))
}

function refused(message: string): AppError {
  return new AppError('invalid_request', message)
}
