// Ends a payout on an operator's word, where the bank cannot show how it ended. What the bank does show comes first.
import { type PayoutStatus, UNDONE } from '@kestrel/contract'

import { AppError } from '../../../core/errors.ts'
import type { Scope } from '../../../core/scope.ts'
import type { ListedTransfer, TransferSnapshot, TransferState } from '../../../rail/transfer.ts'
import { railNamed } from '../../../rail/which-rail.ts'
import { readPayoutsOfTransfers } from '../../../storage/bank-comparison.ts'
import { lockWalletOnRail } from '../../../storage/ledger.ts'
import { isBeingFollowed } from '../../../storage/payout-follow-ups.ts'
import { lockPayouts } from '../../../storage/payout-records.ts'
import type { PayoutRow } from '../../../storage/payouts.ts'
import { bankAccountOf, findWallet } from '../../../storage/wallets.ts'
import { addOperatorAction, recordOperatorAction } from '../../activity/record-operator-action.ts'
import { bringHome, whyNotBack } from './money-back.ts'
import { completeAfterAll } from './paid-after-all.ts'
import type { Deps } from '../../deps.ts'
import { decideOutcome } from '../../payouts/record/decide-outcome.ts'
import { type FoundPayout, findAnyPayout, readAtBank } from '../../payouts/read/find-any-payout.ts'
import { isGivenUp, isInDoubt } from '../../payouts/record/in-doubt.ts'
import { namesAnother } from '../../payouts/record/news-concerns.ts'
import { onlyIfNews } from '../../payouts/record/only-if-news.ts'
import { recordNews } from '../../payouts/record/record-news.ts'
import { releasePayout } from '../../payouts/follow/release-payout.ts'
import { isBusy } from '../../payouts/follow/refresh-payout.ts'
import { plansToCharge, writeDecisions } from '../../payouts/record/write-decisions.ts'

export type Ending = Exclude<PayoutStatus, 'pending' | 'processing'>

export interface Resolution {
  /** How it ended; null: as the bank says of the transfer. */
  readonly ending: Ending | null
  /** The transfer's id at the bank, when a person has found it. */
  readonly transferRef: string | null
  readonly reason: string
}

const STATES = {
  completed: 'settled',
  failed: 'undeliverable',
  returned: 'returned',
  cancelled: 'cancelled',
} as const satisfies Record<Ending, TransferState>

export async function resolvePayout(deps: Deps, id: string, resolution: Resolution): Promise<FoundPayout> {
  const { ending, transferRef, reason } = resolution
  const found = await findAnyPayout(deps, id)
  if (isGivenUp(found.row)) {
    throw refusal(
      `${found.row.id} was given up: the partner was told that nothing was sent. Correct the wallet instead. Nothing was changed.`,
    )
  }
  if (ending === 'completed' && UNDONE.has(found.row.status)) return completeAfterAll(deps, found, resolution)
  const isUndoing = ending !== null && ending !== 'completed' && railNamed(deps, found.row.rail).has.wallets
  if (isUndoing) await bringHome(deps, found.scope.environment)
  const { scope, row } = isUndoing ? await findAnyPayout(deps, id) : found
  const shown = await readAtBank(deps, row, transferRef ?? row.transferRef)
  if (shown !== null) {
    await requireOwn(deps, { scope, row, transferRef }, shown)
    const onlyIf = onlyIfNews(railNamed(deps, row.rail), shown)
    await recordNews(deps, scope, [{ payoutId: row.id, transfer: shown, ...onlyIf }])
    const after = await findAnyPayout(deps, id)
    if (ending === null || isAsAsked(after.row, ending)) {
      if (hasChanged(found.row, after.row)) {
        await recordOperatorAction(deps, { ...scope, action: 'payout.resolve', detail: `${row.id}: ${reason}` })
      }
      return after
    }
    // A person may know a state that this program does not know, and whose a transfer is that bears another reference.
    if (shown.state === 'unknown' || namesAnother(row.id, shown)) await requireMoneyBack(deps, after, ending)
    else await requireBackWithoutSayingSo(deps, { ...after, ending, shown })
  } else if (ending === null) throw refusal(`The bank shows no transfer ${transferRef}. Nothing was changed.`)
  else if (ending === 'failed' && isInDoubt(row)) return releasePayout(deps, id, reason)
  else await requireMoneyBack(deps, { scope, row }, ending)
  await writeEnding(deps, scope, { id: row.id, ending, transferRef, reason })
  return findAnyPayout(deps, id)
}

/** Another payout's transfer must never become this one's. */
async function requireOwn(
  deps: Deps,
  payout: { scope: Scope; row: PayoutRow; transferRef: string | null },
  shown: TransferSnapshot | ListedTransfer,
): Promise<void> {
  const { scope, row, transferRef } = payout
  if (row.transferRef !== null && row.transferRef !== shown.transferRef) {
    throw refusal(`${row.id} has transfer ${row.transferRef}, not ${shown.transferRef}. Nothing was changed.`)
  }
  if (row.transferRef !== null || !('holderRef' in shown)) return
  const account = bankAccountOf(await findWallet(deps.db, scope))
  const isOwn =
    (shown.clientReference === row.id || (await isNameless(deps, row, shown))) &&
    shown.holderRef === account?.holderRef &&
    (shown.receive ?? row.amount) === row.amount
  if (!isOwn) {
    throw refusal(
      `Transfer ${transferRef ?? shown.transferRef} is not that of ${row.id}: reference, wallet or amount differ.`,
    )
  }
}

/** A transfer without a reference is taken for this payout's on a person's word, if its amount fits and nobody has it. */
async function isNameless(deps: Deps, row: PayoutRow, shown: ListedTransfer): Promise<boolean> {
  if (shown.clientReference !== null || shown.send !== row.walletSends) return false
  return (await readPayoutsOfTransfers(deps.db, row, [shown.transferRef])).length === 0
}

function hasChanged(before: PayoutRow, after: PayoutRow): boolean {
  const facts = ({ status, refundState, transferRef }: PayoutRow) => [status, refundState, transferRef].join(' ')
  return facts(before) !== facts(after)
}

function isAsAsked(row: PayoutRow, ending: Ending): boolean {
  return row.status === ending && row.refundState !== 'due'
}

/** A refund that the bank made by hand shows in the wallet and not in the transfer. */
async function requireBackWithoutSayingSo(
  deps: Deps,
  { scope, row, ending, shown }: FoundPayout & { ending: Ending; shown: TransferSnapshot },
): Promise<void> {
  const isWaitedFor = row.status === ending && row.refundState === 'due'
  const why = isWaitedFor ? await whyNotBack(deps, scope, row) : ''
  if (why === null) return
  const says = `The bank shows ${shown.transferRef} as ${shown.bankState}: that is recorded, and no more.`
  throw refusal(`${says} ${why}`.trimEnd())
}

/** Money that is shown as spendable again must be in the bank's wallet, whoever says that it came back. */
async function requireMoneyBack(deps: Deps, { scope, row }: FoundPayout, ending: Ending): Promise<void> {
  if (ending === 'completed' || !railNamed(deps, row.rail).has.wallets) return
  const why = await whyNotBack(deps, scope, row)
  if (why !== null) throw refusal(`${why} Nothing was changed.`)
}

async function writeEnding(
  deps: Deps,
  scope: Scope,
  told: { id: string; ending: Ending; transferRef: string | null; reason: string },
): Promise<void> {
  const { id, ending, reason } = told
  const now = deps.clock.now()
  await deps.db.inTransaction(async (tx) => {
    const [[row], { rail, available }, plans] = await Promise.all([
      lockPayouts(tx, scope, [id]),
      lockWalletOnRail(tx, scope),
      plansToCharge(tx, scope),
    ])
    if (row === undefined || isBeingFollowed(row, now)) throw isBusy(id)
    const transferRef = row.transferRef ?? told.transferRef
    if (transferRef === null)
      throw refusal('Give the bank’s name for the transfer with --transfer. Nothing was changed.')
    const transfer: TransferSnapshot = {
      transferRef,
      state: STATES[ending],
      refund: ending === 'completed' ? 'none' : 'done',
      bankState: row.bankState ?? 'resolved_by_operator',
      reason: row.bankReason,
      nextChangeAt: null,
    }
    const decision = decideOutcome(row, { answer: { kind: 'accepted', transfer }, isFirstHand: false }, now)
    const { status, refundState } = decision.change
    if (status !== ending || (status === row.status && refundState === row.refundState)) {
      throw refusal(`${id} is ${row.status} and cannot become ${ending}. Nothing was changed.`)
    }
    writeDecisions(tx, scope, { decided: [{ row, decision }], rail, plans, now, available })
    addOperatorAction(tx, deps, { ...scope, action: 'payout.resolve', detail: `${id} ${ending}: ${reason}` })
  })
}

function refusal(message: string): AppError {
  return new AppError('invalid_request', message)
}
