// A sandbox pays from its first second, on a rail without wallets; it moves to the bank when it is connected there
// (`banking/sandbox/connect-wallets.ts`). All that the move costs is here: its money is brought along, the ledger begins
// with what the bank has, and what was spent before does not come back twice. A payout that was being made meanwhile is
// made again over the wallet's new rail (`payouts/create`).
import { newId } from '../../core/ids.ts'
import { type MicroUsdc, microUsdc } from '../../core/money.ts'
import type { RailName } from '../../core/rail-name.ts'
import type { Scope } from '../../core/scope.ts'
import type { OpenedAccount } from '../../rail/account.ts'
import type { PartnerBank } from '../../rail/port.ts'
import { type LedgerEntry, postEntries, readPutIn } from '../../storage/ledger.ts'
import type { Db, Tx } from '../../storage/sql.ts'

/**
 * Money that was put into a sandbox before its wallet was at the bank is added there too: the float, and the operator's
 * credits. Returns how much was put in.
 */
export async function bringTestMoney(
  db: Db,
  scope: Scope,
  to: { bank: PartnerBank; account: OpenedAccount; key: string },
): Promise<MicroUsdc> {
  const putIn = await readPutIn(db, scope)
  if (scope.environment === 'live') return putIn
  const missing = putIn - (await to.bank.readWalletBalance(to.account))
  if (missing > 0n) await to.bank.addTestMoney(to.account, microUsdc(missing), `${to.key}:${putIn}`)
  return putIn
}

/** Whether all that was put in has been brought. The caller holds the wallet's lock. */
export async function isAllBrought(tx: Tx, scope: Scope, putIn: MicroUsdc): Promise<boolean> {
  return (await readPutIn(tx, scope)) === putIn
}

/**
 * From here on the ledger and the bank's wallet move together, so they must begin with the same figure. Money that is
 * still under way over the old rail is left out of it.
 */
export function beginWithBank(tx: Tx, scope: Scope, { change, now }: { change: bigint; now: Date }): void {
  if (change === 0n) return
  const [from, to] = change > 0n ? (['external', 'available'] as const) : (['available', 'external'] as const)
  const amount = microUsdc(change > 0n ? change : -change)
  const entry = { cause: newId(now), kind: 'credit', seq: 1, from, to, amount } as const
  postEntries(tx, scope, [entry], now, 'Balance at the bank when the wallet was connected')
}

/**
 * What a payout had spent over another rail than its wallet is on now was made good by the move. When that money comes
 * back later, it leaves again at once: it must not be counted a second time.
 */
export function leaveBehind(
  tx: Tx,
  scope: Scope,
  of: { rail: RailName; spent: readonly { rail: RailName; entries: readonly LedgerEntry[] }[]; now: Date },
): void {
  const back = of.spent
    .filter(({ rail }) => rail !== of.rail)
    .flatMap(({ entries }) => entries.filter((entry) => entry.to === 'available'))
  const out = back.map(({ amount }): LedgerEntry => {
    return { cause: newId(of.now), kind: 'credit', seq: 1, from: 'available', to: 'external', amount }
  })
  postEntries(tx, scope, out, of.now, 'Simulated before the wallet was at the bank')
}
