// Moves a transfer by hand: the control plane along the allowed moves, the client while the bank waits for the money.
import { conflict, invalidParameters, unknownId } from '../core/bank-error.ts'
import type { MicroUsdc } from '../core/money.ts'
import { ACCOUNT_CLOSED, ACCOUNT_STOPPED, schemeReason } from '../core/scheme-reasons.ts'
import { type TransferState, mayMove } from '../core/transfer-moves.ts'
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

const NOT_HANDED_OVER: ReadonlySet<TransferState> = new Set(['awaiting_funds', 'pending', 'in_review'])

/** A transfer that settles was handed over before, even if nobody saw it. */
async function handOverFirst(deps: BankDeps, tx: Tx, transfer: Transfer, to: TransferState): Promise<Transfer> {
  return to === 'payment_processed' && NOT_HANDED_OVER.has(transfer.state)
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

/** Refused as soon as the bank has the money: the client can cancel a transfer while it is `awaiting_funds`, and only then. */
export async function stopTransfer(deps: BankDeps, tx: Tx, transferId: string): Promise<Transfer> {
  const transfer = await lockTransfer(tx, transferId)
  if (transfer === null || transfer.visibleFrom > deps.clock.now()) throw unknownId('transfer')
  const isStoppable =
    transfer.state === 'awaiting_funds' ||
    (transfer.state === 'underfunded' && deps.readings.is('underfunded_can_be_cancelled'))
  if (!isStoppable) {
    const message = `A transfer must be awaiting_funds to be deleted, and this one is ${transfer.state}.`
    throw invalidParameters('path', ['transferID'], message)
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
