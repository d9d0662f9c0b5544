// Deposits that are not credited by themselves, because they are no new money as far as anybody can tell: the bank has undone
// them, or has listed one transaction under two ids. A person decides about what contradicts that.
import type { Scope } from '../../../core/scope.ts'
import type { Deposit } from '../../../rail/account.ts'
import { claimTransaction } from '../../../storage/deposit-claims.ts'
import { type LeftOut, findLeftOut, leaveOut } from '../../../storage/deposits-left-out.ts'
import { keepNotCredited } from '../../../storage/deposits-not-credited.ts'
import { keepToldAlarms } from '../../../storage/told-alarms.ts'
import type { Tx } from '../../../storage/sql.ts'
import type { Deps } from '../../deps.ts'
import { isShownAgain, undoneAt } from '../../wallet/undone-deposit.ts'
import { ringOnce } from '../../watch/ring-once.ts'

type TellDeps = Pick<Deps, 'clock' | 'onAlarm'>

/**
 * Under the deposit's lock. A holder's deposits of one transaction are taken for one, whatever their amounts: two payments in
 * one transaction are rare, and one that is credited twice may be spent.
 */
export async function isLeftOut(deps: TellDeps, tx: Tx, scope: Scope, deposit: Deposit): Promise<boolean> {
  const { depositRef, transactionRef } = deposit
  const { environment } = scope
  if ((await findLeftOut(tx, environment, [depositRef])).has(depositRef)) return true
  if (transactionRef === undefined) return false
  const first = await claimTransaction(tx, scope, { transactionRef, depositRef })
  if (first === depositRef) return false
  leaveOut(tx, environment, { depositRef, reason: 'same_transaction', saidAt: deposit.updatedAt }, deps.clock.now())
  keepNotCredited(tx, scope, { depositRef, amount: deposit.amount, at: deps.clock.now() })
  await tell(deps, tx, scope, { depositRef, sameTransactionAs: first })
  return true
}

/** Of a deposit that was never credited: a person decides, and it is told once. */
export async function tellIfArrived(
  deps: TellDeps & Pick<Deps, 'db'>,
  scope: Scope,
  { deposit, left }: { deposit: Deposit; left: LeftOut },
): Promise<void> {
  if (!isShownAgain(deposit, left)) return
  const { depositRef, amount } = deposit
  await deps.db.inTransaction(async (tx) => {
    keepNotCredited(tx, scope, { depositRef, amount, at: deps.clock.now() })
    await tell(deps, tx, scope, { depositRef, undoneAt: undoneAt(left) })
  })
}

async function tell(
  deps: TellDeps,
  tx: Tx,
  scope: Scope,
  about: Readonly<Record<string, string>> & { readonly depositRef: string },
): Promise<void> {
  const what = 'a deposit was left out' as const
  const told = await keepToldAlarms(tx, scope, [{ about: about.depositRef, cause: what }], deps.clock.now())
  const { partnerId, environment } = scope
  if (told.length > 0) ringOnce(deps, tx, { what, about: { partnerId, environment, ...about } })
}

/** Of all deposits that an account ever had, those that will be credited: one for each transaction, and none that was undone. */
export async function countedOnce(tx: Tx, scope: Scope, deposits: readonly Deposit[]): Promise<Deposit[]> {
  const refs = deposits.map(({ depositRef }) => depositRef)
  const left = await findLeftOut(tx, scope.environment, refs)
  const seen = new Set<string>()
  return deposits.filter(({ depositRef, transactionRef = depositRef }) => {
    // What is left out stands in nobody's way: its transaction's next deposit is credited by the next sweep.
    if (left.has(depositRef)) return false
    const isNew = !seen.has(transactionRef)
    seen.add(transactionRef)
    return isNew
  })
}
