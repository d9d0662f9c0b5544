// Finds what refunds have brought into the bank's wallets. The partner has its money back already, whole, as it was told;
// what the bank gave back otherwise is the operator's gain or loss, booked once, and told.
import type { Environment } from '@kestrel/contract'

import { after } from '../../../core/clock.ts'
import { eachApart } from '../../../core/each-apart.ts'
import { CircularList, pages } from '../../../core/pages.ts'
import type { Scope } from '../../../core/scope.ts'
import type { Deposit } from '../../../rail/account.ts'
import { RailUnavailable } from '../../../rail/port.ts'
import type { WalletAtBank } from '../../../rail/transfer.ts'
import { railOfBank } from '../../../rail/which-rail.ts'
import { listInDoubt, listMoneyUnderWay } from '../../../storage/bank-comparison.ts'
import { listUncredited } from '../../../storage/bank-rows-waiting.ts'
import { findCreditedDeposits } from '../../../storage/deposits.ts'
import { findLeftOut } from '../../../storage/deposits-left-out.ts'
import { listNotCredited } from '../../../storage/deposits-not-credited.ts'
import {
  type RefundCheck,
  listClaimed,
  listDueRefundChecks,
  listOpenRefundChecks,
  lookLater,
} from '../../../storage/refund-checks.ts'
import { readAtBank } from '../../../storage/ledger.ts'
import { bankAccountOf, findWallet } from '../../../storage/wallets.ts'
import type { Deps } from '../../deps.ts'
import { nextCheck } from '../../payouts/record/next-check.ts'
import { tellOnce } from '../../payouts/record/tell-once.ts'
import { isOverAndDone } from '../../wallet/undone-deposit.ts'
import { bookRefund } from './book-refund.ts'
import { matchRefunds } from './match-refunds.ts'

const MOST_WALLETS = 100
/** Deposits are read every few seconds: after this long, what came in and is no deposit is a refund. */
const SETTLED_AFTER_MS = 10 * 60_000
const DAY_MS = 24 * 60 * 60_000
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** Returns how many refunds were found. One wallet's trouble holds up no other. */
export async function checkRefunds(deps: Deps, environment: Environment): Promise<number> {
  if (deps.banks[environment] === null) return 0
  let count = 0
  await eachApart(await listDueRefundChecks(deps.db, environment, deps.clock.now(), MOST_WALLETS), async (scope) => {
    count += await checkWallet(deps, scope)
  })
  return count
}

async function checkWallet(deps: Deps, scope: Scope): Promise<number> {
  const checks = await listOpenRefundChecks(deps.db, scope)
  const matches = await look(deps, scope, checks).catch((error: unknown) => {
    // A bank that cannot be asked now is asked later.
    if (!isForLater(error)) throw error
    return []
  })
  for (const { check, received } of matches) {
    await bookRefund(deps, scope, { payoutId: check.payoutId, cameBack: received.amount, receivedAt: received.at })
  }
  const found = new Set(matches.map(({ check }) => check.payoutId))
  const rest = checks.filter(({ payoutId }) => !found.has(payoutId))
  if (rest.length === 0) return matches.length
  if (!(await isNothingMissing(deps, scope, rest))) {
    await waitForRest(deps, scope, rest)
    return matches.length
  }
  for (const { payoutId, sent } of rest) await bookRefund(deps, scope, { payoutId, cameBack: sent, receivedAt: null })
  return checks.length
}

/**
 * A transfer that was cancelled before the bank drew the wallet brings nothing back, and its wallet's history says nothing
 * of it. The wallet holds what the books say, then, and nothing else may explain that.
 */
async function isNothingMissing(deps: Deps, scope: Scope, rest: readonly RefundCheck[]): Promise<boolean> {
  const { name, words } = railOfBank(deps, scope.environment)
  const anyone = { except: NOBODY, rail: name, unfunded: [...words.unfunded] }
  const isQuiet = async () =>
    (await listMoneyUnderWay(deps.db, scope, anyone)).length === 0 &&
    (await listInDoubt(deps.db, scope, name)).length === 0 &&
    (await listUncredited(deps.db, scope.environment)).length === 0 &&
    !(await isHiddenByDeposit(deps, scope, rest))
  const account = bankAccountOf(await findWallet(deps.db, scope))
  if (account === null || !(await isQuiet())) return false
  try {
    const theirs = await deps.banks[scope.environment]!.readWalletBalance(account)
    if (theirs !== (await readAtBank(deps.db, scope))) return false
    const deposits = await lookAtDeposits(deps, scope, { account, since: oldest(rest) })
    return deposits !== 'not credited' && theirs === (await readAtBank(deps.db, scope)) && (await isQuiet())
  } catch (error) {
    if (isForLater(error)) return false
    throw error
  }
}

function isForLater(error: unknown): boolean {
  return error instanceof RailUnavailable || error instanceof CircularList
}

function oldest(checks: readonly RefundCheck[]): Date {
  return new Date(Math.min(...checks.map(({ since }) => since.getTime())))
}

/** A deposit that was left out may stand in the bank's wallet for what a refund did not bring. */
async function isHiddenByDeposit(deps: Deps, scope: Scope, rest: readonly RefundCheck[]): Promise<boolean> {
  const sent = rest.reduce((sum, check) => sum + check.sent, 0n)
  return (await listNotCredited(deps.db, scope)).some(({ amount, isPutIn }) => !isPutIn && amount <= sent)
}

async function look(deps: Deps, scope: Scope, checks: readonly RefundCheck[]) {
  const account = bankAccountOf(await findWallet(deps.db, scope))
  if (account === null || checks.length === 0) return []
  const since = oldest(checks)
  const received = await deps.banks[scope.environment]!.listReceived(account, since)
  if (received === null) return []
  const find = async (isSettled: boolean) =>
    matchRefunds({ checks, received, claimed: await listClaimed(deps.db, scope, since), isSettled })
  const now = deps.clock.now()
  const isOld = checks.every(({ refundedAt }) => now >= after(refundedAt, SETTLED_AFTER_MS))
  if (!isOld && (await find(false)).length === 0) return []
  // The history first, then the lists of deposits, then our books: what comes meanwhile is taken for no refund.
  const deposits = await lookAtDeposits(deps, scope, { account, since })
  return deposits === 'not credited' ? [] : find(isOld && deposits === 'settled')
}

/**
 * Whether the deposits that the bank has for the wallet are in it here. One that is not yet, or that cannot be read and may be
 * this wallet's, could be taken for a refund of its amount; one that was left out, and is money after all, for one of about its
 * amount.
 */
async function lookAtDeposits(
  deps: Deps,
  scope: Scope,
  { account, since }: { account: WalletAtBank; since: Date },
): Promise<'settled' | 'in doubt' | 'not credited'> {
  const { environment } = scope
  const notCredited = await listNotCredited(deps.db, scope)
  const putIn = new Set(notCredited.flatMap(({ depositRef, isPutIn }) => (isPutIn ? [depositRef] : [])))
  let isInDoubt = (await listUncredited(deps.db, environment)).length > 0
  for (const source of ['bank', 'chain'] as const) {
    for await (const page of pages((cursor) => deps.banks[environment]!.listDeposits(source, since, cursor))) {
      if (page.unread.length > 0) return 'not credited'
      const own = page.deposits.filter(({ holderRef }) => holderRef === account.holderRef)
      const refs = own.map(({ depositRef }) => depositRef)
      const credited = await findCreditedDeposits(deps.db, environment, refs)
      const left = await findLeftOut(deps.db, environment, refs)
      const open = own.filter(({ depositRef: ref }) => !credited.has(ref) && !putIn.has(ref))
      if (open.some(({ depositRef }) => !left.has(depositRef))) return 'not credited'
      const isOver = (deposit: Deposit) => isOverAndDone(deposit, left.get(deposit.depositRef))
      isInDoubt ||= !open.every(isOver)
    }
  }
  return isInDoubt ? 'in doubt' : 'settled'
}

async function waitForRest(deps: Deps, scope: Scope, rest: readonly RefundCheck[]): Promise<void> {
  if (rest.length === 0) return
  const now = deps.clock.now()
  await deps.db.inTransaction(async (tx) => {
    const late = rest.filter(({ refundedAt }) => now >= after(refundedAt, DAY_MS))
    await tellOnce(
      deps,
      tx,
      scope,
      late.map(({ payoutId }) => ({ what: 'a refund is not in the bank’s wallet', payoutId })),
    )
    for (const { payoutId, looks } of rest) lookLater(tx, scope, [payoutId], nextCheck(now, looks))
  })
}
