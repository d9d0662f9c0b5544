// A payout had ended, its money has not come back, and the bank stands by the payment: a pure decision over one locked
// row, made as if the ending had never been told. Where the payout had arrived before, no money moves.
import { assert } from '../../../core/assert.ts'
import type { TransferSnapshot } from '../../../rail/transfer.ts'
import type { FollowedPayout } from '../../../storage/payouts.ts'
import type { UndoneEnding } from '../../../storage/undone-endings.ts'
import { stageOf } from '../progress.ts'
import { type Decision, decideOutcome } from './decide-outcome.ts'

export function undoEnding(
  row: FollowedPayout,
  transfer: TransferSnapshot,
  now: Date,
): { decision: Decision; ending: UndoneEnding } {
  assert(stageOf(row).endingMayBeUndone, 'what was given back to the wallet is never taken for paid')
  assert(transfer.state === 'settled', 'only a payment that the bank stands by undoes an ending')
  const { change, ...rest } = decideOutcome(
    withoutEnding(row),
    { answer: { kind: 'accepted', transfer }, isFirstHand: false },
    now,
  )
  const endedAt = row.endedAt ?? row.updatedAt
  return {
    decision: {
      ...rest,
      change: { ...change, fromStatus: row.status, endingsUndone: row.endingsUndone + 1, updatedAt: now, checks: 0 },
    },
    // Another process's clock may be ahead of ours.
    ending: {
      status: row.status,
      hadCompleted: row.completedAt !== null,
      failureReason: row.failureReason,
      endedAt,
      undoneAt: now < endedAt ? endedAt : now,
    },
  }
}

function withoutEnding(row: FollowedPayout): FollowedPayout {
  return {
    ...row,
    status: row.completedAt === null ? 'processing' : 'completed',
    refundState: 'none',
    failureReason: null,
    bankReason: null,
    endedAt: null,
  }
}
