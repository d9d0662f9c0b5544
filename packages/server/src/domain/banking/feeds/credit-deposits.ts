// Top-ups: money that arrived at the bank is credited once, however often and by whichever way we hear of it.
import type { Environment } from '@kestrel/contract'

import { after } from '../../../core/clock.ts'
import { newId } from '../../../core/ids.ts'
import { formatUsdcExact, formatUsdcHeld } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import type { Deposit, UnreadDeposit } from '../../../rail/account.ts'
import type { PartnerBank } from '../../../rail/port.ts'
import { type CreditedDeposit, findCreditedDeposits, keepDeposit } from '../../../storage/deposits.ts'
import { claimCredited, findLeftOut, lockDeposits } from '../../../storage/deposits-left-out.ts'
import type { Tx } from '../../../storage/sql.ts'
import { findScopes } from '../../../storage/wallets.ts'
import type { Deps } from '../../deps.ts'
import { creditWalletIn } from '../../wallet/credit-wallet.ts'
import { type ChangedDeposit, tellOfChanged, tellOfUndone } from './changed-deposits.ts'
import { isLeftOut, tellIfNewer } from './left-out-deposits.ts'
import { type Feed, readFeed } from './read-feed.ts'
import type { SweepOptions } from './sweep-transfers.ts'
import { type Unsettled, keepUnsettled } from './unsettled-rows.ts'

const FEEDS = { bank: 'bank_deposits', chain: 'chain_deposits' } as const
const SOURCES = ['bank', 'chain'] as const
const HOUR_MS = 60 * 60_000

/**
 * Reads both lists of deposits; one that cannot be read does not hold up the other's money. Returns how many were read;
 * null while another process is reading.
 */
export async function sweepDeposits(
  deps: Deps,
  environment: Environment,
  options: SweepOptions = {},
): Promise<number | null> {
  const bank = deps.banks[environment]
  if (bank === null) return 0
  const tried = await Promise.allSettled(
    SOURCES.map((source) =>
      readFeed(deps, environment, depositsFeed(deps, { environment, bank, source, options }), options.depth),
    ),
  )
  const failed = tried.find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  const counts = tried.map((each) => (each.status === 'fulfilled' ? each.value : null))
  return counts.includes(null) ? null : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
}

function depositsFeed(
  deps: Deps,
  of: { environment: Environment; bank: PartnerBank; source: Deposit['source']; options: SweepOptions },
): Feed<Deposit> {
  const { environment, bank, source, options } = of
  // The newest comes first: what was undone on one page is not credited from a later one.
  const taken = new Set<string>()
  return {
    name: FEEDS[source],
    startFrom: after(deps.clock.now(), -60_000),
    // Top-ups are few, so the wide overlap costs one page.
    wideEveryMs: 0,
    page: async (since, cursor) => {
      const { deposits, undone, unread, next } = await bank.listDeposits(source, since, cursor)
      await tellOfUndone(deps, environment, undone)
      for (const { depositRef } of undone) taken.add(depositRef)
      const items = deposits.filter(({ depositRef }) => !taken.has(depositRef))
      return { items, unread: unread.map((each) => unreadable(environment, each)), next }
    },
    updatedAt: (deposit) => deposit.updatedAt,
    refOf: (deposit) => deposit.depositRef,
    apply: async (deposits) => {
      const unsettled = await creditAll(deps, environment, deposits)
      for (const { depositRef } of deposits) options.onSeen?.(depositRef)
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
  const { isKnown, deposits, undone, unread } = await bank.readDeposit(named.source, named.depositRef)
  await tellOfUndone(deps, environment, undone)
  const unsettled = [
    ...unread.map((each) => unreadable(environment, each)),
    ...(await creditAll(deps, environment, deposits)),
  ]
  const oldest = deposits.reduce((since, { updatedAt }) => (updatedAt < since ? updatedAt : since), deps.clock.now())
  await keepUnsettled(deps, { environment, feed: FEEDS[named.source], since: after(oldest, -HOUR_MS) }, unsettled)
  return isKnown
}

function unreadable(environment: Environment, { depositRef, why }: UnreadDeposit): Unsettled {
  const alarm = { what: 'a deposit at the bank cannot be read', about: { environment, depositRef, why } } as const
  return { ref: depositRef, reason: 'unreadable', state: null, alarm }
}

/** Returns the deposits that need another look. Each is credited by itself: one that fails holds up no other. */
async function creditAll(deps: Deps, environment: Environment, deposits: readonly Deposit[]): Promise<Unsettled[]> {
  const scopes = await findScopes(deps.db, environment, [...new Set(deposits.map((each) => each.holderRef))])
  const placed = deposits.map((deposit) => ({ deposit, owner: scopes.get(deposit.holderRef) }))
  const refs = deposits.map((deposit) => deposit.depositRef)
  const credited = await findCreditedDeposits(deps.db, environment, refs)
  await claimFor(deps, environment, { credited, deposits })
  const left = await findLeftOut(deps.db, environment, refs)
  const unsettled: Unsettled[] = []
  const changed: ChangedDeposit[] = []
  for (const { deposit, owner } of placed) {
    const { depositRef: ref } = deposit
    const before = credited.get(ref)
    if (before !== undefined) {
      const isSame = before.partnerId === owner?.scope.partnerId && before.amount === deposit.amount
      const { holderRef, amount } = deposit
      if (!isSame) changed.push({ credited: before, says: { holderRef, usdc: formatUsdcExact(amount) } })
    } else if (owner === undefined) {
      const alarm = { what: 'a deposit is for nobody we know', about: { environment, depositRef: ref } } as const
      unsettled.push({ ref, reason: 'nobody', state: null, alarm })
    }
    // Its wallet is being connected, and the process that connects it may not have seen the deposit.
    else if (!owner.isConnected) unsettled.push({ ref, reason: 'not_connected', state: null, alarm: null })
    else if (left.has(ref)) await tellIfNewer(deps, owner.scope, { deposit, left: left.get(ref)! })
    else unsettled.push(...(await creditOrTell(deps, owner.scope, deposit)))
  }
  await tellOfChanged(deps, environment, changed)
  return unsettled
}

/** Before anything is credited: the second deposit of a transaction may stand before the one that was credited. */
async function claimFor(
  deps: Pick<Deps, 'db'>,
  environment: Environment,
  { credited, deposits }: { credited: ReadonlyMap<string, CreditedDeposit>; deposits: readonly Deposit[] },
): Promise<void> {
  const items = deposits.flatMap(({ depositRef, transactionRef }) => {
    const before = credited.get(depositRef)
    if (before === undefined || transactionRef === undefined) return []
    return [{ partnerId: before.partnerId, transactionRef, depositRef }]
  })
  await claimCredited(deps.db, environment, items)
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
}
