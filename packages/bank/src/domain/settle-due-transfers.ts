// Moves every transfer whose time has come. Any number of processes may do this on one set of books.
import { assert } from '../core/assert.ts'
import { after } from '../core/clock.ts'
import { inRepeatedTransaction } from '../storage/database.ts'
import { type Transfer, hasDueTransfers, lockAllDueTransfers, lockDueTransfers } from '../storage/transfers.ts'
import type { BankDeps } from './bank-deps.ts'
import { type TransferMove, moveTransfers } from './move-transfers.ts'
import { nextStep } from './transfer-story.ts'

const MOST_AT_ONCE = 200

/** True when there may be more to do at once. */
export function settleDueTransfers(deps: BankDeps): Promise<boolean> {
  return settle(deps, lockDueTransfers)
}

/** Resolves when nothing is due any more, whichever process moved it. */
export async function settleEverythingDue(deps: BankDeps): Promise<void> {
  // A round that moves nothing has waited for another process, which has: so this ends, and never spins.
  for (let isMore = true; isMore;) {
    isMore = (await settle(deps, lockAllDueTransfers)) || (await hasDueTransfers(deps.db, deps.clock.now()))
  }
}

function settle(deps: BankDeps, lockDue: typeof lockDueTransfers): Promise<boolean> {
  // Whoever resets the bank meanwhile takes its tables in another order.
  return inRepeatedTransaction(deps.db, async (tx) => {
    const due = await lockDue(tx, deps.clock.now(), MOST_AT_ONCE)
    await moveTransfers(
      deps,
      tx,
      due.map((transfer) => stepOf(deps, transfer)),
    )
    // A step that was long overdue may have made the next one due.
    return due.length > 0
  })
}

function stepOf(deps: BankDeps, transfer: Transfer): TransferMove {
  const step = nextStep(transfer, deps.pace)
  assert(step !== null && transfer.dueAt !== null, 'a transfer with a time has a next step')
  const following = nextStep({ story: transfer.story, state: step.to }, deps.pace)
  return {
    transfer,
    to: step.to,
    reason: step.reason,
    // Counted from when it was due and not from now: a clock that jumps far ahead plays the whole story.
    dueAt: following === null ? null : after(transfer.dueAt, following.afterMs),
  }
}
