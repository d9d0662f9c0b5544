// A transfer in the bank's words, and in ours.
import {
  type MicroUsdc,
  type Pence,
  parseDecimalPence,
  parseDecimalUsdc,
  exactly,
  microPence,
} from '../../core/money.ts'
import { divideHalfUp } from '../../core/rounding.ts'
import { type StateWords, UnreadableAnswer } from '../port.ts'
import type { ListedTransfer, TransferReceipt, TransferRefund, TransferState } from '../transfer.ts'
import { type Json, asObject, freeText, moment, optionalText, text } from './json-words.ts'

function stateOf(json: Json): { state: TransferState; refund: TransferRefund } {
  const undone = undoneState(json)
  switch (text(json, 'state')) {
    case 'pending':
      return { state: 'accepted', refund: 'none' }
    case 'awaiting_funds':
      return { state: 'awaiting_funds', refund: 'none' }
    case 'in_review':
    case 'kyc_required':
    case 'kyc_in_review':
    case 'developer_kyb_required':
      return { state: 'in_review', refund: 'none' }
    case 'funds_received':
    case 'payment_submitted':
      return { state: 'submitted', refund: 'none' }
    case 'payment_processed':
      return { state: 'settled', refund: 'none' }
    case 'undeliverable':
    case 'error':
      return { state: 'undeliverable', refund: 'in_flight' }
    case 'returned':
      return { state: 'returned', refund: 'in_flight' }
    case 'refund_in_flight':
      return { state: undone, refund: 'in_flight' }
    case 'refunded':
      return { state: undone, refund: 'done' }
    case 'refund_failed':
    case 'missing_return_policy':
      return { state: undone, refund: 'failed' }
    case 'canceled':
      return { state: 'cancelled', refund: 'done' }
    default:
      return { state: 'unknown', refund: 'none' }
  }
}

export const STATE_WORDS: StateWords = {
  stoppable: new Set([
    'pending',
    'awaiting_funds',
    'in_review',
    'kyc_required',
    'kyc_in_review',
    'developer_kyb_required',
  ]),
  unfunded: new Set(['awaiting_funds']),
}

/**
 * A refund may be all that we see of what went before. Faster Payments refuses with a code of four digits and returns
 * with one of eight; without a code, details of a return mean that there was a return.
 */
function undoneState(json: Json): TransferState {
  const reason = reasonOf(json)
  if (json['return_details'] == null) return 'undeliverable'
  const wasRefused = reason !== null && /\(\d{4}\)/.test(reason)
  return wasRefused ? 'undeliverable' : 'returned'
}

export function listedTransfer(value: unknown): ListedTransfer {
  const json = asObject(value)
  const known = stateOf(json)
  const send = usdc(sentAmount(json))
  const receive = pounds(text(asObject(json['destination']), 'amount'))
  return {
    ...known,
    ...costsOf(json, send, receive),
    transferRef: text(json, 'id'),
    bankState: text(json, 'state'),
    clientReference: optionalText(json, 'client_reference_id'),
    holderRef: text(json, 'on_behalf_of'),
    reason: reasonOf(json),
    nextChangeAt: null,
    send,
    receive,
    updatedAt: moment(json, 'updated_at'),
  }
}

function sentAmount(json: Json): string {
  const receipt = json['receipt']
  const initial = receipt == null ? null : optionalText(asObject(receipt), 'initial_amount')
  return initial ?? text(json, 'amount')
}

/**
 * The network's fee in dollars, as pounds at the transfer's own rate. The bank writes a zero where it does not itemise
 * the fee. A cost that cannot be read is left out, because it is no reason to stop following money.
 */
function costsOf(json: Json, send: MicroUsdc, receive: Pence): { receipt?: TransferReceipt } {
  const receipt = json['receipt']
  const fee = receipt == null ? undefined : asObject(receipt)['gas_fee']
  const dollars = typeof fee === 'string' ? parseDecimalUsdc(fee) : null
  if (dollars === null || dollars === 0n || send === 0n) return {}
  return { receipt: { networkCost: microPence(divideHalfUp(dollars * exactly(receive), send)) } }
}

function reasonOf(json: Json): string | null {
  const details = json['return_details']
  return details == null ? null : freeText(asObject(details), 'reason')
}

function usdc(amount: string): MicroUsdc {
  const value = parseDecimalUsdc(amount)
  if (value === null) throw new UnreadableAnswer('The bank’s transfer has an amount that is no money.')
  return value
}

function pounds(amount: string): Pence {
  const value = parseDecimalPence(amount)
  if (value === null) throw new UnreadableAnswer('The bank’s transfer has an amount that is no money.')
  return value
}
