// How each story goes on: for every state that a transfer leaves by itself, what comes next and how much later.
import type { TransferState } from '../core/transfer-moves.ts'
import { ACCOUNT_CLOSED, ACCOUNT_STOPPED, UNKNOWN_ACCOUNT, schemeReason } from '../core/scheme-reasons.ts'
import type { SandboxStory } from '../outcomes.ts'
import type { Pace } from './pace.ts'

export interface Step {
  readonly to: TransferState
  readonly afterMs: number
  /** What the bank says about the transfer; without this its last words stay. */
  readonly reason?: string
}

export const REFUSED_AT_ONCE = schemeReason(UNKNOWN_ACCOUNT)

/** Null when the story waits for the control plane, or is over. */
export function nextStep(transfer: { story: SandboxStory; state: TransferState }, pace: Pace): Step | null {
  switch (transfer.state) {
    case 'awaiting_funds':
    case 'pending':
      return transfer.story === 'cancel'
        ? { to: 'canceled', afterMs: pace.settleAfterMs, reason: 'Cancelled by the sandbox bank' }
        : { to: 'payment_submitted', afterMs: pace.submitAfterMs }
    case 'payment_submitted':
      return afterSubmitting(transfer.story, pace)
    case 'payment_processed':
      return transfer.story === 'return'
        ? { to: 'returned', afterMs: pace.returnAfterMs, reason: schemeReason(ACCOUNT_CLOSED) }
        : null
    case 'undeliverable':
      // Also when nothing was taken: a client that sees only the end must know that nothing has to come back.
      return { to: 'refunded', afterMs: pace.refundAfterMs }
    case 'returned':
      return { to: 'refunded', afterMs: pace.refundAfterMs }
    case 'in_review':
    case 'underfunded':
    case 'refunded':
    case 'canceled':
      return null
  }
}

function afterSubmitting(story: SandboxStory, pace: Pace): Step | null {
  const afterMs = pace.settleAfterMs - pace.submitAfterMs
  if (story === 'hold') return null
  if (story === 'fail') return { to: 'undeliverable', afterMs, reason: schemeReason(ACCOUNT_STOPPED) }
  return { to: 'payment_processed', afterMs }
}
