// Moves a transfer by hand: the control plane along the allowed moves, the customer while it can be stopped.
import { conflict, invalidParameters, unknownId } from '../core/bank-error.ts'
import type { MicroUsdc } from '../core/money.ts'
import { ACCOUNT_CLOSED, ACCOUNT_STOPPED, schemeReason } from '../core/scheme-reasons.ts'
import { type TransferState, canBeStopped, mayMove } from '../core/transfer-moves.ts'
import type { Tx } from '../storage/sql.ts'
import { type Transfer, lockTransfer } from '../storage/transfers.ts'
import type { BankDeps } from './bank-deps.ts'
import { type TransferMove, moveTransfers } from './move-transfers.ts'

export const STEERING = {
  submit: { to: 'payment_submitted' },
  settle: { to: 'payment_processed' },
  return: { to: 'returned', code: ACCOUNT_CLOSED },
  undeliver: { to: 'undeliverable', code: ACCOUNT_STOPPED },
  review: { to: 'in_review' },
  refund: { to: 'refunded' },
  cancel: { to: 'canceled' },
} as const satisfies Record<string, { to: TransferState; code?: string }>

export type SteeringAction = keyof typeof STEERING

export interface SteeringInput {
  readonly transferId: string
  readonly action: SteeringAction
  readonly reasonCode: string | null
  readonly reason: string | null
  /** What a refund brings back; null: what the bank's terms say. */
  readonly refunded: MicroUsdc | null
}

/** A transfer moved by hand goes no further by itself: the control plane decides what comes next. */
export async function steerTransfer(deps: BankDeps, tx: Tx, input: SteeringInput): Promise<Transfer> {
  const transfer = await lockTransfer(tx, input.transferId)
  if (transfer === null) throw unknownId('transfer')
  const { to } = STEERING[input.action]
  if (to === 'refunded' && !transfer.isDebited) {
    throw conflict('illegal_move', 'The wallet was never debited for this transfer, so there is nothing to refund.')
  }
  const ready = await handOverFirst(deps, tx, transfer, to)
  if (!mayMove(ready.state, to)) {
    throw conflict('illegal_move', `A transfer that is ${ready.state} cannot become ${to}.`)
  }
  return moveByHand(deps, tx, ready, { to, reason: reasonFor(input), refunded: input.refunded ?? undefined })
}

/** A transfer that settles was handed over before, even if nobody saw it. */
async function handOverFirst(deps: BankDeps, tx: Tx, transfer: Transfer, to: TransferState): Promise<Transfer> {
  const isWaiting = transfer.state === 'pending' || transfer.state === 'in_review'
  return to === 'payment_processed' && isWaiting
    ? moveByHand(deps, tx, transfer, { to: 'payment_submitted' })
    : transfer
}

function reasonFor(input: SteeringInput): string | undefined {
  const steering: { to: TransferState; code?: string } = STEERING[input.action]
  // Words without a code are as free as those that a returning bank gives.
  const code = input.reasonCode ?? (input.reason === null ? steering.code : undefined)
  if (code === undefined) return input.reason ?? undefined
  return schemeReason(code, input.reason ?? undefined)
}

/** Refused once the transfer is out of the bank's hands. */
export async function stopTransfer(deps: BankDeps, tx: Tx, transferId: string): Promise<Transfer> {
  const transfer = await lockTransfer(tx, transferId)
  if (transfer === null || transfer.visibleFrom > deps.clock.now()) throw unknownId('transfer')
  if (!canBeStopped(transfer.state)) {
    throw invalidParameters('path', ['transferID'], `A transfer that is ${transfer.state} can no longer be stopped.`)
  }
  return moveByHand(deps, tx, transfer, { to: 'canceled', reason: 'Cancelled on request' })
}

async function moveByHand(
  deps: BankDeps,
  tx: Tx,
  transfer: Transfer,
  move: Omit<TransferMove, 'transfer' | 'dueAt'>,
): Promise<Transfer> {
  const [moved] = await moveTransfers(deps, tx, [{ transfer, ...move, dueAt: null }])
  return moved ?? transfer
}
