// Transfers as the bank lists them, brought home: whose they are, and what that means for their payouts. What is
// written down already costs one look; news that changes nothing is presented once.
import type { Environment, RailName } from '@kestrel/contract'

import { groupBy } from '../../core/group-by.ts'
import { isUuid } from '../../core/ids.ts'
import { type Scope, scopeKey } from '../../core/scope.ts'
import type { ListedTransfer } from '../../rail/rail.ts'
import { type PayoutAtBank, readPayoutsAtBank } from '../../storage/bank-comparison.ts'
import { findWaitingRows } from '../../storage/bank-rows-waiting.ts'
import { findScopes } from '../../storage/wallets.ts'
import type { Deps } from '../deps.ts'
import { inOneOrEach } from '../payouts/in-one-or-each.ts'
import { recordNews } from '../payouts/record-news.ts'
import type { Unsettled } from './unsettled-rows.ts'

export function providerRail(environment: Environment): RailName {
  return environment === 'live' ? 'provider_production' : 'provider_sandbox'
}

/** Those that could not be written down. One partner's trouble is nobody else's. */
export async function applyTransfers(
  deps: Deps,
  environment: Environment,
  transfers: readonly ListedTransfer[],
): Promise<Unsettled[]> {
  const customers = [...new Set(transfers.map((transfer) => transfer.customerRef))]
  const scopes = await findScopes(deps.db, environment, customers)
  const unsettled: Unsettled[] = []
  const placed = transfers.flatMap((transfer) => {
    const owner = scopes.get(transfer.customerRef)
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

/** It names no payout of ours, or is a customer's whom we do not know. */
function nobodys(environment: Environment, scope: Scope | undefined, transfer: ListedTransfer): Unsettled {
  const { transferRef, customerRef } = transfer
  return {
    ref: transferRef,
    reason: 'nobody',
    state: stateOf(transfer),
    alarm: {
      what: 'the bank has a transfer that we do not',
      about: { environment, ...scope, customerRef, transferRef },
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
  // What is still not as the bank says was refused, and whoever refused it has told of it.
  const told = (await notRecorded(deps, scope, left)).map((transfer): Unsettled => ({
    ref: transfer.transferRef,
    reason: 'told',
    state: stateOf(transfer),
    alarm: null,
  }))
  return [...failed, ...told]
}

/** All at once; and if that fails, each payout by itself, so that the one in the way is found. */
async function recordEach(deps: Deps, scope: Scope, fresh: readonly ListedTransfer[]): Promise<Unsettled[]> {
  if (fresh.length === 0) return []
  // What is said of one payout is heard together, however many transfers it has.
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
    payout.providerRef === transfer.transferRef &&
    payout.providerState === transfer.providerState &&
    (payout.bankSent ?? payout.walletSends) === transfer.send &&
    payout.amount === transfer.receive &&
    !(payout.refundState === 'due' && transfer.refund === 'done')
  )
}

/** All of a transfer that anybody decides by. */
function stateOf(transfer: ListedTransfer): string {
  const { clientReference, providerState, refund, send, receive } = transfer
  return [clientReference, providerState, refund, send, receive].join(' ')
}
