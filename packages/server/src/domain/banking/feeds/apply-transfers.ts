// Applies the transfers that the bank lists to their payouts. A transfer that is recorded already costs one look; one
// that changes nothing is tried once.
import type { Environment } from '@kestrel/contract'

import { groupBy } from '../../../core/group-by.ts'
import { isUuid } from '../../../core/ids.ts'
import { type Scope, scopeKey } from '../../../core/scope.ts'
import type { ListedTransfer } from '../../../rail/transfer.ts'
import { type PayoutAtBank, readPayoutsAtBank } from '../../../storage/bank-comparison.ts'
import { findWaitingRows } from '../../../storage/bank-rows-waiting.ts'
import { findScopes } from '../../../storage/wallets.ts'
import type { Deps } from '../../deps.ts'
import { inOneOrEach } from '../../payouts/record/in-one-or-each.ts'
import { recordNews } from '../../payouts/record/record-news.ts'
import { takenFromWallet } from '../../payouts/record/taken-from-wallet.ts'
import type { Unsettled } from './unsettled-rows.ts'

/** Returns the transfers that could not be recorded. One partner's trouble holds up nobody else. */
export async function applyTransfers(
  deps: Deps,
  environment: Environment,
  transfers: readonly ListedTransfer[],
): Promise<Unsettled[]> {
  const holders = [...new Set(transfers.map((transfer) => transfer.holderRef))]
  const scopes = await findScopes(deps.db, environment, holders)
  const unsettled: Unsettled[] = []
  const placed = transfers.flatMap((transfer) => {
    const owner = scopes.get(transfer.holderRef)
    const isPayouts = transfer.clientReference !== null && isUuid(transfer.clientReference)
    if (owner !== undefined && isPayouts) return [{ scope: owner.scope, transfer }]
    unsettled.push(nobodys(environment, owner?.scope, transfer))
    return []
  })
  for (const own of groupBy(placed, ({ scope }) => scopeKey(scope)).values()) {
    const listed = own.map(({ transfer }) => transfer)
    unsettled.push(...(await applyToWallet(deps, own[0]!.scope, listed)))
  }
  return unsettled
}

/** It names no payout of ours, or belongs to an account holder that we do not know. */
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

async function applyToWallet(deps: Deps, scope: Scope, listed: readonly ListedTransfer[]): Promise<Unsettled[]> {
  const news = await notRecorded(deps, scope, listed)
  if (news.length === 0) return []
  const refs = news.map((transfer) => transfer.transferRef)
  const waiting = await findWaitingRows(deps.db, scope.environment, 'transfers', refs)
  const fresh = news.filter((transfer) => waiting.get(transfer.transferRef)?.state !== stateOf(transfer))
  const failed = await recordEach(deps, scope, fresh)
  const left = news.filter((transfer) => !failed.some(({ ref }) => ref === transfer.transferRef))
  // A transfer that still differs from its payout was refused, and an alarm has told of it.
  const told = (await notRecorded(deps, scope, left)).map((transfer): Unsettled => ({
    ref: transfer.transferRef,
    reason: 'told',
    state: stateOf(transfer),
    alarm: null,
  }))
  return [...failed, ...told]
}

/** Records all at once. If that fails, payout by payout, so that the one in the way is found. */
async function recordEach(deps: Deps, scope: Scope, fresh: readonly ListedTransfer[]): Promise<Unsettled[]> {
  if (fresh.length === 0) return []
  // All news of one payout is recorded together, however many transfers it has.
  const byPayout = [...groupBy(fresh, (transfer) => transfer.clientReference!).values()]
  return inOneOrEach(byPayout, {
    record: (some) =>
      recordNews(
        deps,
        scope,
        some.flat().map((transfer) => ({ payoutId: transfer.clientReference!, transfer })),
      ),
    failed: (transfers, error) => transfers.map((transfer) => couldNotBeWritten(scope, transfer, error)),
  })
}

function couldNotBeWritten(scope: Scope, { clientReference, transferRef }: ListedTransfer, error: unknown): Unsettled {
  return {
    ref: transferRef,
    reason: 'failed',
    state: null,
    alarm: {
      what: 'a transfer’s news could not be written down',
      about: { ...scope, payoutId: clientReference, transferRef, err: error },
    },
  }
}

async function notRecorded(
  deps: Deps,
  scope: Scope,
  listed: readonly ListedTransfer[],
): Promise<readonly ListedTransfer[]> {
  const ids = listed.map((transfer) => transfer.clientReference!)
  const payouts = new Map((await readPayoutsAtBank(deps.db, scope, ids)).map((payout) => [payout.id, payout]))
  return listed.filter((transfer) => !isRecorded(payouts.get(transfer.clientReference!), transfer))
}

function isRecorded(payout: PayoutAtBank | undefined, transfer: ListedTransfer): boolean {
  return (
    payout !== undefined &&
    payout.sendState === 'accepted' &&
    payout.transferRef === transfer.transferRef &&
    payout.bankState === transfer.bankState &&
    (payout.bankSent ?? payout.walletSends) === takenFromWallet(payout, transfer.send) &&
    (transfer.surplus === undefined || payout.surplus === transfer.surplus) &&
    payout.amount === (transfer.receive ?? payout.amount) &&
    !(payout.refundState === 'due' && transfer.refund === 'done')
  )
}

/** Every field of a transfer that a decision depends on. */
function stateOf(transfer: ListedTransfer): string {
  const { clientReference, bankState, refund, send, receive, surplus, missing } = transfer
  return [clientReference, bankState, refund, send, receive, surplus, missing].join(' ')
}
