// Completes a payout that had ended, on a person's word and the bank's together: the bank's list and the transfer itself
// say that it was paid, and its wallet does not hold the money. The bank alone never does it, because the partner was
// told otherwise and may have paid again; and nobody does once the money was given back to the wallet.
import { after, pause } from '../../../core/clock.ts'
import { AppError } from '../../../core/errors.ts'
import { formatPence, formatUsdcExact, microUsdc } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import { grouped, momentInWords } from '../../../core/words.ts'
import { paidAfterAllMail } from '../../../mail/templates/payout-mails.ts'
import { RailUnavailable, ROWS_COME_WITHIN_MS } from '../../../rail/port.ts'
import type { ListedTransfer } from '../../../rail/transfer.ts'
import { railNamed } from '../../../rail/which-rail.ts'
import { listAmountsUnderWay } from '../../../storage/bank-comparison.ts'
import { lockWalletOnRail } from '../../../storage/ledger.ts'
import { findBilledPartner } from '../../../storage/partners.ts'
import { lockPayouts } from '../../../storage/payout-records.ts'
import { isBeingFollowed } from '../../../storage/payout-follow-ups.ts'
import type { FollowedPayout, PayoutRow } from '../../../storage/payouts.ts'
import type { Tx } from '../../../storage/sql.ts'
import { type UndoneEnding, insertUndoneEnding } from '../../../storage/undone-endings.ts'
import { bankAccountOf, findWallet } from '../../../storage/wallets.ts'
import { addOperatorAction } from '../../activity/record-operator-action.ts'
import type { Deps } from '../../deps.ts'
import { mailAdmins } from '../../notices/mail-admins.ts'
import { isBusy } from '../../payouts/follow/refresh-payout.ts'
import { stageOf } from '../../payouts/progress.ts'
import { type FoundPayout, findAnyPayout } from '../../payouts/read/find-any-payout.ts'
import { isStale } from '../../payouts/record/news-concerns.ts'
import { recordNews } from '../../payouts/record/record-news.ts'
import { undoEnding } from '../../payouts/record/undo-ending.ts'
import { plansToCharge, writeDecisions } from '../../payouts/record/write-decisions.ts'
import { surplusAtBank } from '../reconcile/compare-wallet.ts'
import { isAccountedFor } from '../reconcile/accounted-for.ts'
import { bringHome } from './money-back.ts'

/** Everything is looked at twice: what moves at the bank this very moment proves nothing. */
const PAUSE_MS = 700

/** Saying it again, or two saying it at once, changes nothing more. */
export async function completeAfterAll(
  deps: Deps,
  found: FoundPayout,
  told: { transferRef: string | null; reason: string },
): Promise<FoundPayout> {
  const { id } = found.row
  requireBank(deps, found.row)
  await bringHome(deps, found.scope.environment)
  const { scope, row } = await findAnyPayout(deps, id)
  if (row.status === 'completed') return { scope, row }
  requireUndoable(row, told.transferRef)
  const shown = await readSettled(deps, scope, row)
  const seen = (await recordNews(deps, scope, [{ payoutId: id, transfer: shown }])).get(id) ?? row
  // Since it was read, somebody else may have said so, or its money may have been given back.
  if (seen.status === 'completed') return findAnyPayout(deps, id)
  requireUndoable(seen, told.transferRef)
  requireRecent(deps, seen, shown)
  await requireGone(deps, scope, seen)
  await pause(deps.clock, PAUSE_MS)
  if (!isTheSame(await readSettled(deps, scope, seen), shown)) throw somethingNew(id)
  await requireGone(deps, scope, seen)
  const isOurs = await deps.db.inTransaction((tx) => write(deps, tx, scope, { seen, shown, reason: told.reason }))
  if (isOurs) deps.post.wake()
  return findAnyPayout(deps, id)
}

/** The proof is the bank's list and its wallet. */
function requireBank(deps: Deps, { id, rail }: PayoutRow): void {
  const { wallets, lists } = railNamed(deps, rail).has
  if (!wallets || !lists) throw refusal(`${id} was simulated: there is no bank that could have paid it.`)
}

function requireUndoable(row: PayoutRow, named: string | null): void {
  const { id, status, transferRef } = row
  if (!stageOf(row).endingMayBeUndone) {
    throw refusal(
      `${id} is ${status} and its money was given back to the wallet, so it stays so. If the bank has paid it all the same, kestrel wallet debit --reference payout:${id} takes that out of the books.`,
    )
  }
  if (named !== null && named !== transferRef) throw refusal(`${id} has transfer ${transferRef}, not ${named}.`)
}

/** The bank's list and the transfer itself have to say the same. */
async function readSettled(deps: Deps, scope: Scope, row: PayoutRow): Promise<ListedTransfer> {
  const rail = railNamed(deps, row.rail)
  const account = bankAccountOf(await findWallet(deps.db, scope))
  const sought = { account, clientReference: row.id, requestedAt: row.createdAt, transferRef: row.transferRef }
  const [shown, { own }] = await asked(() =>
    Promise.all([rail.readListed(row.transferRef!), rail.findTransfers(sought)] as const),
  )
  if (shown === null) throw refusal(`The bank shows no transfer ${row.transferRef}, so it does not stand by it.`)
  if (shown.state !== 'settled') {
    await recordNews(deps, scope, [{ payoutId: row.id, transfer: shown }])
    const message = `The bank shows ${shown.transferRef} as ${shown.bankState}: that is recorded, and no more.`
    throw new AppError('invalid_request', message)
  }
  const [listed] = own
  if (own.length !== 1 || listed?.transferRef !== shown.transferRef || listed.state !== 'settled') {
    const has = own.map((each) => `${each.transferRef} as ${each.bankState}`).join(', ')
    throw refusal(
      `The bank shows ${shown.transferRef} as ${shown.bankState}, and its list has ${has === '' ? 'nothing of it' : has}. Ask it which is true.`,
    )
  }
  return shown
}

/** An old answer may come from a part of the bank that has not heard of the return yet. */
function requireRecent(deps: Deps, row: FollowedPayout, shown: ListedTransfer): void {
  const from = after(row.endedAt ?? row.updatedAt, ROWS_COME_WITHIN_MS)
  if (!isStale(row, shown) || deps.clock.now() >= from) return
  throw refusal(
    `What the bank shows of ${shown.transferRef} is older than its word that it was undone. Ask again after ${from.toISOString()}.`,
  )
}

/**
 * More money in the bank's wallet than our books say may be this payout's refund, unless what else is under way at the
 * bank can account for it.
 */
async function requireGone(deps: Deps, scope: Scope, row: PayoutRow): Promise<void> {
  const { name, words } = railNamed(deps, row.rail)
  const sought = { except: row.id, rail: name, unfunded: [...words.unfunded] }
  const others = await listAmountsUnderWay(deps.db, scope, sought)
  const surplus = (await asked(() => surplusAtBank(deps, scope))) ?? 0n
  if (isAccountedFor(surplus, others)) return
  const more = formatUsdcExact(microUsdc(surplus))
  throw refusal(
    `The bank’s wallet holds ${more} USDC more than our books say, and that may be the money of ${row.id}. Account for it first.`,
  )
}

/** False when somebody else has said so a moment ago. */
async function write(
  deps: Deps,
  tx: Tx,
  scope: Scope,
  { seen, shown, reason }: { seen: PayoutRow; shown: ListedTransfer; reason: string },
): Promise<boolean> {
  const now = deps.clock.now()
  const [[row], { rail, available }, plans] = await Promise.all([
    lockPayouts(tx, scope, [seen.id]),
    lockWalletOnRail(tx, scope),
    plansToCharge(tx, scope),
  ])
  if (row === undefined) throw isBusy(seen.id)
  if (row.status === 'completed' && row.endingsUndone > seen.endingsUndone) return false
  if (isBeingFollowed(row, now)) throw isBusy(seen.id)
  if (!isAsSeen(row, seen)) throw somethingNew(seen.id)
  const { decision, ending } = undoEnding(row, shown, now)
  insertUndoneEnding(tx, scope, { payoutId: row.id, nth: decision.change.endingsUndone, ending })
  writeDecisions(tx, scope, { decided: [{ row, decision }], rail, plans, now, available })
  const detail = `${row.id} completed, no longer ${row.status}: ${reason}`
  addOperatorAction(tx, deps, { ...scope, action: 'payout.resolve', detail })
  if (scope.environment === 'live') await tellAdmins(deps, tx, row, ending)
  return true
}

/** What the person looked at is what is there now. */
function isAsSeen(row: PayoutRow, seen: PayoutRow): boolean {
  const facts = ({ status, refundState, bankState, bankSent, bankUpdatedAt, endingsUndone }: PayoutRow) =>
    [status, refundState, bankState, bankSent, bankUpdatedAt?.getTime(), endingsUndone].join(' ')
  return facts(row) === facts(seen)
}

function isTheSame(one: ListedTransfer, other: ListedTransfer): boolean {
  return +one.updatedAt === +other.updatedAt && one.send === other.send && one.receive === other.receive
}

function somethingNew(id: string): AppError {
  return refusal(`The bank has said something new of ${id} this very moment. Try again.`)
}

async function tellAdmins(deps: Deps, tx: Tx, row: PayoutRow, { status, endedAt }: UndoneEnding): Promise<void> {
  const { partnerId, amount, recipientName, accountLast4 } = row
  const partner = await findBilledPartner(tx, partnerId)
  const content = paidAfterAllMail({
    businessName: partner?.name ?? '',
    amount: `£${grouped(formatPence(amount))}`,
    recipientName,
    accountLast4,
    cameBack: status === 'returned',
    toldOn: momentInWords(endedAt),
  })
  await mailAdmins(tx, deps, { partnerId, kind: 'payout_paid_after_all', content })
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof RailUnavailable)) throw error
    throw new AppError('bank_unavailable', `The bank could not be asked, so nothing was changed. ${error.message}`)
  }
}

function refusal(message: string): AppError {
  return new AppError('invalid_request', `${message} Nothing was changed.`)
}
