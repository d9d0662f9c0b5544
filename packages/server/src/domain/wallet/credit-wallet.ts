// The operator's credits to a wallet: the sandbox float, and corrections with a reason.
import { newId } from '../../core/ids.ts'
import type { MicroUsdc } from '../../core/money.ts'
import type { Scope } from '../../core/scope.ts'
import { lockWallet, makeGood, postEntries, readAvailable } from '../../storage/ledger.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'

export interface Credit {
  /** The entry's cause; a new id unless given. */
  readonly cause?: string
  readonly amount: MicroUsdc
  readonly reason: string
}

export function creditWallet(deps: Deps, scope: Scope, credit: Credit): Promise<MicroUsdc> {
  return deps.db.inTransaction((tx) => creditWalletIn(tx, scope, credit, deps.clock.now()))
}

/** Returns the balance after the credit. */
export async function creditWalletIn(tx: Tx, scope: Scope, credit: Credit, at: Date): Promise<MicroUsdc> {
  await lockWallet(tx, scope)
  postEntries(
    tx,
    scope,
    [
      {
        cause: credit.cause ?? newId(at),
        kind: 'credit',
        seq: 1,
        from: 'external',
        to: 'available',
        amount: credit.amount,
      },
    ],
    at,
    credit.reason,
  )
  makeGood(tx, scope, at)
  return readAvailable(tx, scope)
}
