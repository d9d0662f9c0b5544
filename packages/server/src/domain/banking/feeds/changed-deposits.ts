// A deposit is credited once and stays as it was credited. If the bank then shows another amount or owner, or takes it
// back, a person has to decide: the partner may have spent it. Each such change is told once.
import type { Environment } from '@kestrel/contract'

import { sha256 } from '../../../core/ids.ts'
import { formatUsdcExact } from '../../../core/money.ts'
import type { Deposit, DepositTransaction, UndoneDeposit } from '../../../rail/account.ts'
import { claimCredited } from '../../../storage/deposit-claims.ts'
import { type CreditedDeposit, findCreditedDeposits } from '../../../storage/deposits.ts'
import { type LeftOut, leaveOut, lockDeposits } from '../../../storage/deposits-left-out.ts'
import { keepToldAlarms } from '../../../storage/told-alarms.ts'
import type { HolderScope } from '../../../storage/wallets.ts'
import type { Deps } from '../../deps.ts'
import { isShownAgain, undoneAt } from '../../wallet/undone-deposit.ts'
import { ringOnce } from '../../watch/ring-once.ts'

export interface ChangedDeposit {
  readonly credited: CreditedDeposit
  /** What the bank says of it now. */
  readonly says: Readonly<Record<string, string>>
}

type TellDeps = Pick<Deps, 'db' | 'clock' | 'onAlarm'>

/**
 * Those that were never credited are nobody's concern: their money was never in a wallet. It is remembered that they were
 * undone, so that nobody credits them from an older row.
 */
export async function tellOfUndone(
  deps: TellDeps,
  environment: Environment,
  undone: readonly UndoneDeposit[],
): Promise<void> {
  if (undone.length === 0) return
  const refs = undone.map((each) => each.depositRef)
  const credited = await deps.db.inTransaction(async (tx) => {
    await lockDeposits(tx, environment, refs)
    for (const { depositRef, updatedAt } of undone) {
      leaveOut(tx, environment, { depositRef, reason: 'undone', saidAt: updatedAt }, deps.clock.now())
    }
    return findCreditedDeposits(tx, environment, refs)
  })
  const changed = undone.flatMap(({ depositRef, bankState }): ChangedDeposit[] => {
    const before = credited.get(depositRef)
    return before === undefined ? [] : [{ credited: before, says: { bankState } }]
  })
  await tellOfChanged(deps, environment, changed)
}

/**
 * For deposits that were credited before their transaction was known, so that no other deposit is credited for it. If another
 * one was, both are credited, and a person has to look.
 */
export async function claimForCredited(
  deps: TellDeps,
  environment: Environment,
  transactions: readonly DepositTransaction[],
): Promise<void> {
  const refs = transactions.map(({ depositRef }) => depositRef)
  const credited = await findCreditedDeposits(deps.db, environment, refs)
  const claims = transactions.flatMap(({ depositRef, transactionRef }) => {
    const before = credited.get(depositRef)
    return before?.source === 'chain' ? [{ partnerId: before.partnerId, transactionRef, depositRef }] : []
  })
  const others = await claimCredited(deps.db, environment, claims)
  const changed = [...others].map(([ref, first]) => ({
    credited: credited.get(ref)!,
    says: { sameTransactionAs: first },
  }))
  await tellOfChanged(deps, environment, changed)
}

/** What is different from what was credited. A deposit that was undone since then is not meant by an older row. */
export function changesOf(
  credited: CreditedDeposit,
  now: { deposit: Deposit; owner: HolderScope | undefined; left: LeftOut | undefined },
): ChangedDeposit[] {
  const { deposit, owner, left } = now
  const { holderRef, source, amount } = deposit
  const isSame = credited.partnerId === owner?.scope.partnerId && credited.amount === amount
  const changed: ChangedDeposit[] = []
  if (!isSame) changed.push({ credited, says: { holderRef, usdc: formatUsdcExact(amount) } })
  if (credited.source !== source) changed.push({ credited, says: { source } })
  if (isShownAgain(deposit, left)) changed.push({ credited, says: { undoneAt: undoneAt(left!) } })
  return changed
}

export async function tellOfChanged(
  deps: TellDeps,
  environment: Environment,
  changed: readonly ChangedDeposit[],
): Promise<void> {
  const what = 'the bank has changed a deposit that was credited' as const
  for (const { credited, says } of changed) {
    const { partnerId, depositRef } = credited
    // A digest, because what a bank says may be too long for an index.
    const cause = `${what} | ${sha256(JSON.stringify(says)).toString('hex')}`
    await deps.db.inTransaction(async (tx) => {
      const told = await keepToldAlarms(
        tx,
        { partnerId, environment },
        [{ about: depositRef, cause }],
        deps.clock.now(),
      )
      if (told.length > 0) ringOnce(deps, tx, { what, about: { partnerId, environment, depositRef, ...says } })
    })
  }
}
