// Top-ups: money that arrived at the bank is credited once, however often and by whichever way we hear of it.
import type { Environment } from '@kestrel/contract'

import { after } from '../../../core/clock.ts'
import { newId } from '../../../core/ids.ts'
import { formatUsdcHeld } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import type { Deposit, DepositPage, UnreadDeposit } from '../../../rail/account.ts'
import type { PartnerBank } from '../../../rail/port.ts'
import { findWaitingSince } from '../../../storage/bank-rows-waiting.ts'
import { findUnclaimed } from '../../../storage/deposit-claims.ts'
import { findCreditedDeposits, keepDeposit } from '../../../storage/deposits.ts'
import { findLeftOut, lockDeposits } from '../../../storage/deposits-left-out.ts'
import { noteEvents } from '../../../storage/note-events.ts'
import type { Tx } from '../../../storage/sql.ts'
import { findScopes } from '../../../storage/wallets.ts'
import type { Deps } from '../../deps.ts'
import { creditWalletIn } from '../../wallet/credit-wallet.ts'
import { type ChangedDeposit, changesOf, claimForCredited, tellOfChanged, tellOfUndone } from './changed-deposits.ts'
import { isLeftOut, tellIfArrived } from './left-out-deposits.ts'
import { type Feed, readFeed } from './read-feed.ts'
import type { SweepOptions } from './sweep-transfers.ts'
import { type Unsettled, keepUnsettled } from './unsettled-rows.ts'

const FEEDS = { bank: 'bank_deposits', chain: 'chain_deposits' } as const
const UNCLAIMED = 'unclaimed'
const HOUR_MS = 60 * 60_000

interface DepositSweep extends SweepOptions {
  /** Called with every deposit that the sweep saw. */
  readonly onSeen?: (ref: string) => void
}

/**
 * Reads both lists of deposits; one that cannot be read does not hold up the other's money. Returns how many were read;
 * null while another process is reading.
 */
export async function sweepDeposits(
  deps: Deps,
  environment: Environment,
  options: DepositSweep = {},
): Promise<number | null> {
  const bank = deps.banks[environment]
  if (bank === null) return 0
  const of = { environment, bank, options }
  const tried = await Promise.allSettled([
    readFeed(deps, environment, depositsFeed(deps, { ...of, source: 'bank' }), options.depth),
    sweepChain(deps, of),
  ])
  const failed = tried.find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  const counts = tried.map((each) => (each.status === 'fulfilled' ? each.value : null))
  return counts.includes(null) ? null : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
}

interface Swept {
  readonly environment: Environment
  readonly bank: PartnerBank
  readonly options: DepositSweep
}

/** What waits for the claims of others is credited as soon as these are made: after one read of the whole list. */
async function sweepChain(deps: Deps, of: Swept): Promise<number | null> {
  let isUnclaimed = false
  const feed = depositsFeed(deps, { ...of, source: 'chain', onUnclaimed: () => void (isUnclaimed = true) })
  const read = (depth: SweepOptions['depth'] | 'whole_now') => readFeed(deps, of.environment, feed, depth)
  const count = await read(of.options.depth)
  if (!isUnclaimed || of.options.depth === 'whole' || (await read('whole_now')) === null) return count
  return read('recent')
}

function depositsFeed(
  deps: Deps,
  of: Swept & { readonly source: Deposit['source']; readonly onUnclaimed?: () => void },
): Feed<Deposit> {
  const { environment, bank, source, options } = of
  return {
    name: FEEDS[source],
    startFrom: after(deps.clock.now(), -60_000),
    // Top-ups are few, so the wide overlap costs one page.
    wideEveryMs: 0,
    page: async (since, cursor) => {
      const page = await bank.listDeposits(source, since, cursor)
      await beforeCrediting(deps, environment, page)
      return { items: page.deposits, unread: page.unread.map((each) => unreadable(environment, each)), next: page.next }
    },
    updatedAt: (deposit) => deposit.updatedAt,
    refOf: (deposit) => deposit.depositRef,
    apply: async (deposits) => {
      const unsettled = await creditAll(deps, environment, deposits)
      for (const { depositRef } of deposits) options.onSeen?.(depositRef)
      if (unsettled.some(({ state }) => state === UNCLAIMED)) of.onUnclaimed?.()
      return unsettled
    },
  }
}

/** Reads one deposit that the bank has named. False when the bank does not show it yet. */
export async function creditNamedDeposit(
  deps: Deps,
  environment: Environment,
  named: { source: Deposit['source']; depositRef: string },
): Promise<boolean> {
  const bank = deps.banks[environment]
  if (bank === null) return false
  const reading = await bank.readDeposit(named.source, named.depositRef)
  await creditRead(deps, { environment, source: named.source }, reading)
  return reading.isKnown
}

/** Returns how many of the deposits need another look. They are kept for it. */
export async function creditRead(
  deps: Deps,
  { environment, source }: { environment: Environment; source: Deposit['source'] },
  read: Omit<DepositPage, 'next'>,
): Promise<number> {
  await beforeCrediting(deps, environment, read)
  const unsettled = [
    ...read.unread.map((each) => unreadable(environment, each)),
    ...(await creditAll(deps, environment, read.deposits)),
  ]
  const now = deps.clock.now()
  const oldest = read.deposits.reduce((since, { updatedAt }) => (updatedAt < since ? updatedAt : since), now)
  await keepUnsettled(deps, { environment, feed: FEEDS[source], since: after(oldest, -HOUR_MS) }, unsettled)
  return unsettled.length
}

/** What was undone, and what was credited before, comes first: the newest row stands first, and may be of either. */
async function beforeCrediting(deps: Deps, environment: Environment, page: Omit<DepositPage, 'next'>): Promise<void> {
  await tellOfUndone(deps, environment, page.undone)
  await claimForCredited(deps, environment, page.transactions)
}

function unreadable(environment: Environment, { depositRef, why }: UnreadDeposit): Unsettled {
  const alarm = { what: 'a deposit at the bank cannot be read', about: { environment, depositRef, why } } as const
  return { ref: depositRef, reason: 'unreadable', state: null, alarm }
}

/** The whole list is read for it, which takes minutes. If it cannot be read to its end for an hour, somebody has to look. */
async function waitForClaims(deps: Deps, scope: Scope, ref: string): Promise<Unsettled> {
  const since = await findWaitingSince(deps.db, scope.environment, FEEDS.chain, ref)
  const isLate = since !== null && deps.clock.now() >= after(since, HOUR_MS)
  const why = 'the whole list could not be read, and may have it under another id'
  const alarm = { what: 'a deposit could not be credited', about: { ...scope, depositRef: ref, why } } as const
  const waiting = { ref, state: UNCLAIMED }
  return isLate ? { ...waiting, reason: 'failed', alarm } : { ...waiting, reason: UNCLAIMED, alarm: null }
}

/** Returns the deposits that need another look. Each is credited by itself: one that fails holds up no other. */
async function creditAll(deps: Deps, environment: Environment, deposits: readonly Deposit[]): Promise<Unsettled[]> {
  const scopes = await findScopes(deps.db, environment, [...new Set(deposits.map((each) => each.holderRef))])
  const placed = deposits.map((deposit) => ({ deposit, owner: scopes.get(deposit.holderRef) }))
  const refs = deposits.map((deposit) => deposit.depositRef)
  const credited = await findCreditedDeposits(deps.db, environment, refs)
  const left = await findLeftOut(deps.db, environment, refs)
  const isNew = ({ depositRef: ref }: Deposit) => !credited.has(ref) && !left.has(ref)
  const hashed = placed.filter(({ deposit }) => deposit.transactionRef !== undefined && isNew(deposit))
  const partners = hashed.flatMap(({ owner }) => owner?.scope.partnerId ?? [])
  const unclaimed = await findUnclaimed(deps.db, environment, partners)
  const unsettled: Unsettled[] = []
  const changed: ChangedDeposit[] = []
  for (const { deposit, owner } of placed) {
    const { depositRef: ref } = deposit
    const before = credited.get(ref)
    if (before !== undefined) changed.push(...changesOf(before, { deposit, owner, left: left.get(ref) }))
    else if (owner === undefined) {
      const alarm = { what: 'a deposit is for nobody we know', about: { environment, depositRef: ref } } as const
      unsettled.push({ ref, reason: 'nobody', state: null, alarm })
    }
    // Its wallet is being connected, and the process that connects it may not have seen the deposit.
    else if (!owner.isConnected) unsettled.push({ ref, reason: 'not_connected', state: null, alarm: null })
    else if (left.has(ref)) await tellIfArrived(deps, owner.scope, { deposit, left: left.get(ref)! })
    // One of those that have not claimed theirs yet may have come by the same transaction.
    else if (deposit.transactionRef !== undefined && unclaimed.has(owner.scope.partnerId)) {
      unsettled.push(await waitForClaims(deps, owner.scope, ref))
    } else unsettled.push(...(await creditOrTell(deps, owner.scope, deposit)))
  }
  await tellOfChanged(deps, environment, changed)
  return unsettled
}

async function creditOrTell(deps: Deps, scope: Scope, deposit: Deposit): Promise<Unsettled[]> {
  try {
    await deps.db.inTransaction((tx) => creditDeposit(deps, tx, scope, deposit))
    return []
  } catch (error) {
    const about = { ...scope, depositRef: deposit.depositRef, err: error }
    const alarm = { what: 'a deposit could not be credited', about } as const
    return [{ ref: deposit.depositRef, reason: 'failed', state: null, alarm }]
  }
}

/** Once, whoever else credits it, leaves it out or lists it under another id at this very moment. */
export async function creditDeposit(
  deps: Pick<Deps, 'clock' | 'onAlarm'>,
  tx: Tx,
  scope: Scope,
  deposit: Deposit,
): Promise<void> {
  const at = deps.clock.now()
  await lockDeposits(tx, scope.environment, [deposit.depositRef])
  if (await isLeftOut(deps, tx, scope, deposit)) return
  const cause = newId(at)
  const isNew = await keepDeposit(tx, scope, { ...deposit, creditedAt: at }, cause)
  if (!isNew) return
  const way = deposit.source === 'bank' ? 'bank transfer' : 'USDC'
  const reason = `Top-up by ${way}: ${formatUsdcHeld(deposit.amount)} USDC`
  await creditWalletIn(tx, scope, { cause, amount: deposit.amount, reason }, at)
  const { depositRef: id, source, amount, receivedAt } = deposit
  const data = { id, source, usdc: formatUsdcHeld(amount), received_at: receivedAt.toISOString() }
  noteEvents(tx, scope, [{ type: 'deposit.received', subject: { object: 'deposit', id }, data }], at)
}
