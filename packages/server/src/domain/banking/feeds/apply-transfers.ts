// Applies the transfers that the bank lists to their payouts. A transfer that is recorded already costs one look; one
// that changes nothing is tried once.
import type { Environment } from '@kestrel/contract'

import { after } from '../../../core/clock.ts'
import { groupBy } from '../../../core/group-by.ts'
import { isUuid } from '../../../core/ids.ts'
import { type Scope, scopeKey } from '../../../core/scope.ts'
import type { ListedTransfer } from '../../../rail/transfer.ts'
import { type PayoutAtBank, readPayoutsAtBank } from '../../../storage/bank-comparison.ts'
import { wasKeptWaiting } from '../../../storage/database.ts'
import { findWaitingRows } from '../../../storage/bank-rows-waiting.ts'
import { findScopes } from '../../../storage/wallets.ts'
import type { Deps } from '../../deps.ts'
import { inOneOrEach } from '../../payouts/record/in-one-or-each.ts'
import { namesAnother } from '../../payouts/record/news-concerns.ts'
import { type NewsOfPayout, recordNews } from '../../payouts/record/record-news.ts'
import { saysWhatCannotBe, takenFromWallet } from '../../payouts/record/taken-from-wallet.ts'
import { type Having, readHaving } from './payout-of-transfer.ts'
import type { Unsettled } from './unsettled-rows.ts'
import { type Waited, type WalletPatience, onceEach } from './wallet-patience.ts'

/** Returns the transfers that could not be recorded. One partner's trouble holds up nobody else. */
export type ApplyTransfers = (listed: readonly ListedTransfer[]) => Promise<Unsettled[]>

/** For one reading, in however many parts. */
export function transfersApplier(
  deps: Deps,
  environment: Environment,
  patience: WalletPatience = onceEach(),
): ApplyTransfers {
  return (listed) => applyTransfers(deps, environment, { listed, patience })
}

async function applyTransfers(
  deps: Deps,
  environment: Environment,
  { listed, patience }: { listed: readonly ListedTransfer[]; patience: WalletPatience },
): Promise<Unsettled[]> {
  const transfers = newestOfEach(listed)
  const holders = [...new Set(transfers.map((transfer) => transfer.holderRef))]
  const scopes = await findScopes(deps.db, environment, holders)
  const having = await readHaving(deps, deps.db, { environment, transfers })
  const unsettled: Unsettled[] = []
  const placed = transfers.flatMap((transfer) => {
    const scope = scopes.get(transfer.holderRef)?.scope
    const has = having(transfer)
    const payoutId = scope === undefined ? null : payoutIdOf(scope, transfer, has)
    if (scope !== undefined && payoutId !== null) {
      return [{ scope, payoutId, transfer, payout: has.has === 'one' ? has.payout : null }]
    }
    unsettled.push(nobodys(environment, scope, transfer))
    return []
  })
  for (const [wallet, own] of groupBy(placed, ({ scope }) => scopeKey(scope))) {
    unsettled.push(...(await applyInTime(deps, { wallet, patience, scope: own[0]!.scope }, own)))
  }
  return unsettled
}

/** Unless somebody has had the wallet, or a payout of it, locked for as long as this would wait. */
async function applyInTime(
  deps: Deps,
  { wallet, patience, scope }: { wallet: string; patience: WalletPatience; scope: Scope },
  own: readonly Placed[],
): Promise<Unsettled[]> {
  const willWait = patience.for(wallet)
  if (willWait === 'none') return own.map(({ transfer }) => lockedOut(transfer))
  try {
    const { unsettled, isWritten } = await applyToWallet(deps, { scope, willWait }, own)
    // Where nothing was to be written, nobody has asked for its lock.
    if (isWritten) patience.tried(wallet, willWait, false)
    return unsettled
  } catch (error) {
    if (!wasKeptWaiting(error)) throw error
    patience.tried(wallet, willWait, true)
    return own.map(({ transfer }) => lockedOut(transfer))
  }
}

interface OfWallet {
  readonly scope: Scope
  readonly willWait: Waited
}

interface AppliedToWallet {
  readonly unsettled: Unsettled[]
  readonly isWritten: boolean
}

function lockedOut({ transferRef: ref, updatedAt }: ListedTransfer): Unsettled {
  return { ref, reason: 'locked', state: null, alarm: null, since: after(updatedAt, -1) }
}

/** A list may show a transfer twice, as it is and as it was. Its old news must not stand in the way of the new. */
export function newestOfEach(listed: readonly ListedTransfer[]): ListedTransfer[] {
  const newest = new Map<string, ListedTransfer>()
  for (const transfer of listed) {
    const before = newest.get(transfer.transferRef)
    if (before === undefined || before.updatedAt < transfer.updatedAt) newest.set(transfer.transferRef, transfer)
  }
  return [...newest.values()]
}

/** A transfer, and the payout that its news is for. */
type News = NewsOfPayout & { readonly transfer: ListedTransfer }
/** Most of a list is recorded already: what was read to say whose it is says that too. Null: nobody's has been read. */
type Placed = News & { readonly payout: PayoutAtBank | null }

/** The payout of the account holder's wallet that has the transfer; while none has it, the one that the transfer names. */
function payoutIdOf(scope: Scope, { clientReference }: ListedTransfer, having: Having): string | null {
  if (having.has === 'one') return having.payout.partnerId === scope.partnerId ? having.payout.id : null
  return having.has === 'nobody' && clientReference !== null && isUuid(clientReference) ? clientReference : null
}

/** It is no payout's of ours, or belongs to an account holder that we do not know, or not to the one whose payout has it. */
function nobodys(environment: Environment, scope: Scope | undefined, transfer: ListedTransfer): Unsettled {
  const { transferRef, holderRef } = transfer
  return {
    ref: transferRef,
    reason: 'nobody',
    state: stateOf(transfer),
    alarm: {
      what: 'the bank has a transfer that we do not',
      about: { environment, ...scope, holderRef, transferRef },
    },
  }
}

async function applyToWallet(deps: Deps, wallet: OfWallet, listed: readonly Placed[]): Promise<AppliedToWallet> {
  const { scope } = wallet
  const news = await notRecorded(deps, scope, listed)
  if (news.length === 0) return { unsettled: [], isWritten: false }
  const refs = news.map(({ transfer }) => transfer.transferRef)
  const waiting = await findWaitingRows(deps.db, scope.environment, 'transfers', refs)
  const fresh = news.filter(({ transfer }) => waiting.get(transfer.transferRef)?.state !== stateOf(transfer))
  const failed = await recordEach(deps, wallet, fresh)
  const left = news.filter(({ transfer }) => !failed.some(({ ref }) => ref === transfer.transferRef))
  // A transfer that still differs from its payout was refused, and an alarm has told of it.
  const again = left.map((each) => ({ ...each, payout: null }))
  const told = (await notRecorded(deps, scope, again)).map(({ transfer }): Unsettled => ({
    ref: transfer.transferRef,
    reason: 'told',
    state: stateOf(transfer),
    alarm: null,
  }))
  return { unsettled: [...failed, ...told], isWritten: fresh.length > 0 }
}

/** Records all at once. If that fails, payout by payout, so that the one in the way is found. */
async function recordEach(deps: Deps, { scope, willWait }: OfWallet, fresh: readonly News[]): Promise<Unsettled[]> {
  if (fresh.length === 0) return []
  // All news of one payout is recorded together, however many transfers it has.
  const byPayout = [...groupBy(fresh, ({ payoutId }) => payoutId).values()]
  return inOneOrEach(byPayout, {
    record: (some) => recordNews(deps, scope, some.flat(), { isShort: willWait === 'short' }),
    failed: (news, error) => news.map((each) => couldNotBeWritten(scope, each, error)),
  })
}

function couldNotBeWritten(scope: Scope, { payoutId, transfer }: News, error: unknown): Unsettled {
  const { transferRef } = transfer
  return {
    ref: transferRef,
    reason: 'failed',
    state: null,
    alarm: {
      what: 'a transfer’s news could not be written down',
      about: { ...scope, payoutId, transferRef, err: error },
    },
  }
}

/** Reads the payouts that were not read yet. */
async function notRecorded(deps: Deps, scope: Scope, listed: readonly Placed[]): Promise<readonly Placed[]> {
  const ids = listed.filter(({ payout }) => payout === null).map(({ payoutId }) => payoutId)
  const read = ids.length === 0 ? [] : await readPayoutsAtBank(deps.db, scope, ids)
  const byId = new Map(read.map((payout) => [payout.id, payout]))
  return listed.filter(({ payoutId, payout, transfer }) => !isRecorded(payout ?? byId.get(payoutId), transfer))
}

function isRecorded(payout: PayoutAtBank | undefined, transfer: ListedTransfer): boolean {
  return (
    payout !== undefined &&
    payout.sendState === 'accepted' &&
    payout.transferRef === transfer.transferRef &&
    !namesAnother(payout.id, transfer) &&
    payout.bankState === transfer.bankState &&
    (payout.bankSent ?? payout.walletSends) === takenFromWallet(payout, transfer) &&
    !saysWhatCannotBe(payout, transfer) &&
    (transfer.surplus === undefined || payout.surplus === transfer.surplus) &&
    transfer.surplusSaid === undefined &&
    payout.amount === (transfer.receive ?? payout.amount) &&
    !(payout.refundState === 'due' && transfer.refund === 'done')
  )
}

/** Every field of a transfer that a decision depends on. */
function stateOf(transfer: ListedTransfer): string {
  const { clientReference, bankState, refund, send, receive, surplus, surplusSaid, missing } = transfer
  return [clientReference, bankState, refund, send, receive, surplus ?? surplusSaid, missing].join(' ')
}
