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
import type { ListedTransfer, TransferReceipt, TransferState } from '../transfer.ts'
import { type Json, asObject, freeText, isJson, moment, optionalText, text, wordOrNull } from './json-words.ts'

/** Handed to Faster Payments, or on its way back from there: what has left cannot be stopped any more. */
const HANDED_OVER: ReadonlySet<string> = new Set([
  'payment_submitted',
  'payment_processed',
  'undeliverable',
  'returned',
  'refund_in_flight',
  'refunded',
  'refund_failed',
  'missing_return_policy',
])

/** What says of a transfer that it is on its way, or nothing that we know, does not undo that it was handed over. */
const ON_ITS_WAY = { refund: 'none', leavesStanding: HANDED_OVER } as const

type Known = Pick<ListedTransfer, 'state' | 'refund' | 'handedOverWords' | 'impossibleAfter' | 'leavesStanding'>

function stateOf(json: Json): Known {
  const word = text(json, 'state')
  return { ...meaningOf(word, undoneState(json)), handedOverWords: HANDED_OVER }
}

function meaningOf(word: string, undone: TransferState): Known {
  switch (word) {
    case 'pending':
      return { state: 'accepted', ...ON_ITS_WAY }
    case 'awaiting_funds':
    // The rate has moved: what the bank drew no longer buys the pounds.
    case 'underfunded':
      return { state: 'awaiting_funds', ...ON_ITS_WAY }
    case 'in_review':
    case 'kyc_required':
    case 'kyc_in_review':
    case 'developer_kyb_required':
      return { state: 'in_review', ...ON_ITS_WAY }
    case 'funds_received':
      return { state: 'submitted', ...ON_ITS_WAY }
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
      return { state: 'cancelled', refund: 'done', impossibleAfter: HANDED_OVER }
    default:
      return { state: 'unknown', ...ON_ITS_WAY }
  }
}

/** Why our own sandbox bank stopped a transfer that it was told to stop. */
export const TAKEN_BACK = 'Taken back by the control plane of the sandbox bank'

export const STATE_WORDS: StateWords = {
  // What lacks money may be cancelled too, by the bank's guide; by its reference, only what waits for the wallet's.
  stoppable: new Set(['awaiting_funds', 'underfunded']),
  undrawn: new Set(['awaiting_funds']),
  unfunded: new Set(['awaiting_funds', 'underfunded']),
  way: ['pending', 'awaiting_funds', 'funds_received', 'payment_submitted', 'payment_processed'],
}

/**
 * A refund may be all that we see of what went before. Faster Payments returns with a code of eight digits. Any other
 * words are the returning bank's own and prove nothing, so the payment never arrived, unless it was seen to.
 */
function undoneState(json: Json): TransferState {
  return /\(\d{8}\)/.test(reasonOf(json) ?? '') ? 'returned' : 'undeliverable'
}

export function listedTransfer(value: unknown): ListedTransfer {
  const json = asObject(value)
  const known = stateOf(json)
  const send = dollarsIn(json)
  const receive = poundsIn(json)
  return {
    ...known,
    ...(known.impossibleAfter !== undefined && reasonOf(json) === TAKEN_BACK ? { isTakenBack: true } : {}),
    ...(send === null ? {} : { send }),
    ...(receive === null ? {} : { receive }),
    ...(send === null || receive === null ? {} : costsOf(json, send, receive)),
    ...fundsOf(json),
    ...recipientIn(json),
    transferRef: text(json, 'id'),
    bankState: text(json, 'state'),
    clientReference: optionalText(json, 'client_reference_id'),
    holderRef: text(json, 'on_behalf_of'),
    reason: reasonOf(json),
    nextChangeAt: null,
    updatedAt: optionalText(json, 'updated_at') === null ? moment(json, 'created_at') : moment(json, 'updated_at'),
  }
}

/** Money that the operator added to a transfer is one more transfer, to that transfer, and pays nobody. */
export function isAddition(row: unknown): boolean {
  if (!isJson(row) || !isJson(row['destination'])) return false
  const isOfNoPayout = row['client_reference_id'] === undefined || row['client_reference_id'] === null
  return isOfNoPayout && row['destination']['payment_rail'] === 'bridge_transfer'
}

/**
 * What arrives: as the receipt of a payment that has arrived says, as it was ordered, or as any receipt says; null where the
 * bank says none of it. An amount that is there and makes no sense, or is not in pounds, is an error, not a missing one.
 */
function poundsIn(json: Json): Pence | null {
  const destination = partOf(json, 'destination')
  const currency = optionalText(destination, 'currency')
  if (currency !== null && currency.toLowerCase() !== 'gbp') {
    throw new UnreadableAnswer(`The bank’s transfer pays in ${currency}, and not in pounds.`)
  }
  const amount = optionalText(destination, 'amount')
  const final = optionalText(partOf(json, 'receipt'), 'final_amount')
  const ordered = amount === null ? null : pounds(amount)
  if (final === null) return ordered
  if (ordered === null) return pounds(final)
  // Before it has arrived, a receipt may be one of nothing.
  return text(json, 'state') === 'payment_processed' ? (parseDecimalPence(final) ?? ordered) : ordered
}

function recipientIn(json: Json): { recipientRef?: string } {
  const recipientRef = optionalText(partOf(json, 'destination'), 'external_account_id')
  return recipientRef === null ? {} : { recipientRef }
}

/** What the wallet gives. Null where the bank's figures are in another currency: pounds must never be taken for dollars. */
function dollarsIn(json: Json): MicroUsdc | null {
  const source = partOf(json, 'source')
  const isOfDollars = isDollars(source)
  if (isDollars(json) && isOfDollars) {
    return usdc(optionalText(partOf(json, 'receipt'), 'initial_amount') ?? text(json, 'amount'))
  }
  const given = isOfDollars ? optionalText(source, 'amount') : null
  return given === null ? null : usdc(given)
}

function partOf(json: Json, name: string): Json {
  return json[name] == null ? {} : asObject(json[name])
}

/** What does not say its currency is in dollars, as we asked for it. */
function isDollars(json: Json): boolean {
  return ['usdc', 'usd', undefined].includes(wordOrNull(json, 'currency')?.toLowerCase())
}

/**
 * The network's fee in dollars, as pounds at the transfer's own rate. The bank writes a zero where it does not itemise
 * the fee. A cost that cannot be read is left out, because it is no reason to stop following money.
 */
function costsOf(json: Json, send: MicroUsdc, receive: Pence): { receipt?: TransferReceipt } {
  const fee = partOf(json, 'receipt')['gas_fee']
  const dollars = typeof fee === 'string' ? parseDecimalUsdc(fee) : null
  if (dollars === null || dollars === 0n || send === 0n) return {}
  return { receipt: { networkCost: microPence(divideHalfUp(dollars * exactly(receive), send)) } }
}

/** What of the dollars was left over, which is the operator's, and what is missing; absent where the bank says nothing. */
function fundsOf(json: Json): Pick<ListedTransfer, 'surplus' | 'surplusSaid' | 'missing'> {
  const missing = usdcIn(json['additional_funding_instructions'])
  return {
    ...surplusIn(partOf(json, 'receipt')['developer_exchange_fee']),
    ...(missing === null ? {} : { missing }),
  }
}

function surplusIn(fee: unknown): Pick<ListedTransfer, 'surplus' | 'surplusSaid'> {
  if (fee == null || (isJson(fee) && fee['amount'] == null)) return {}
  const surplus = usdcIn(fee)
  return surplus === null ? { surplusSaid: inWords(fee) } : { surplus }
}

/** What cannot be read, for a person: in characters that can be kept, and no more of them than anybody reads. */
function inWords(value: unknown): string {
  const { amount, currency } = isJson(value) ? value : { amount: value, currency: undefined }
  const words = [amount, currency].map((each) => (typeof each === 'string' ? each : typeof each))
  return words
    .join(' ')
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .slice(0, 60)
}

/** Null for what is not there, and for what is not in dollars: it is no reason to stop following money. */
function usdcIn(given: unknown): MicroUsdc | null {
  const json = isJson(given) ? given : {}
  const amount = wordOrNull(json, 'amount')
  return isDollars(json) && amount !== null ? parseDecimalUsdc(amount) : null
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
