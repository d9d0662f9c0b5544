// A request for a payout as it is compared, stored and sent: with the specification's defaults filled in.
import type { CreatePayoutRequest } from '@kestrel/contract'

import { AppError } from '../../../core/errors.ts'
import { type Pence, formatPence } from '../../../core/money.ts'
import { keyedHash, seal, unseal } from '../../../core/seal.ts'
import type { RecipientDetails, TransferRequest } from '../../../rail/transfer.ts'
import type { PayoutRow } from '../../../storage/payouts.ts'
import type { DataKeys } from '../../deps.ts'
import { canonicalText, differingFields, fingerprintOf } from '../../idempotency/fingerprint.ts'
import { knownKeys, knowsKey, underEachKey, underOlderKeys } from '../../secrets/known-keys.ts'
import { recipientOfText, recipientText } from './recipient-text.ts'

export interface PayoutRequest {
  readonly amountGbp: string
  readonly country: string
  readonly reference: string | null
  readonly recipient: RecipientDetails
}

export function payoutRequest(body: CreatePayoutRequest): PayoutRequest {
  const { recipient } = body
  return {
    amountGbp: body.amount_gbp,
    country: body.country ?? 'GB',
    reference: body.reference ?? null,
    recipient: {
      ...recipient,
      type: recipient.type ?? 'individual',
      // The town is used if the region is omitted (spec, part 2).
      address: { ...recipient.address, region: recipient.address.region ?? recipient.address.city },
    },
  }
}

/** The body to compare: the caller's, in one spelling. `confirm_code` is a proof, not part of the payout. */
function comparable(request: PayoutRequest, amount: Pence) {
  return {
    amount_gbp: formatPence(amount),
    country: request.country,
    reference: request.reference,
    recipient: request.recipient,
  }
}

export function requestFingerprint(secrets: DataKeys, request: PayoutRequest, amount: Pence): Buffer {
  return fingerprintOf(secrets.fingerprintKey, 'payouts.v1', comparable(request, amount))
}

/** The same under older keys. */
export function olderRequestFingerprints(secrets: DataKeys, request: PayoutRequest, amount: Pence): Buffer[] {
  return underOlderKeys(secrets).map((each) => requestFingerprint(each, request, amount))
}

/** Whether a request is the one that a payout was made for, whichever key made its fingerprint. */
export function isSameRequest(
  secrets: DataKeys,
  row: Pick<PayoutRow, 'fingerprint' | 'fingerprintKey'>,
  request: PayoutRequest,
  amount: Pence,
): boolean {
  const { fingerprintKey: id } = row
  if (id !== null && !knowsKey(secrets, 'fingerprint', id)) {
    // Only a process that has that key can tell.
    throw new AppError(
      'unavailable',
      'This process does not have the keys of this payout yet. Retry in a moment with the same Idempotency-Key.',
      { retryAfterSeconds: 5 },
    )
  }
  return underEachKey(secrets).some((each) => requestFingerprint(each, request, amount).equals(row.fingerprint))
}

/** The request behind a payout, from its row. */
export function storedRequest(
  secrets: DataKeys,
  row: Pick<PayoutRow, 'id' | 'amount' | 'reference' | 'recipientSealed'>,
): PayoutRequest {
  return {
    amountGbp: formatPence(row.amount),
    country: 'GB',
    reference: row.reference,
    recipient: openRecipient(secrets, row.recipientSealed, row.id),
  }
}

/** The fields in which a request differs from the payout that its key is bound to. */
export function fieldsThatDiffer(secrets: DataKeys, row: PayoutRow, request: PayoutRequest, amount: Pence): string[] {
  return differingFields(comparable(storedRequest(secrets, row), row.amount), comparable(request, amount))
}

export function sealRecipient(secrets: DataKeys, recipient: RecipientDetails, payoutId: string): Buffer {
  return seal(secrets.sealKey, recipientText(recipient), payoutId)
}

export function openRecipient(secrets: DataKeys, sealed: Buffer, payoutId: string): RecipientDetails {
  return recipientOfText(unseal(knownKeys(secrets, 'seal'), sealed, payoutId))
}

/** Recognises the same person at the same account without storing either in the clear. */
export function recipientFingerprint(secrets: DataKeys, recipient: RecipientDetails): Buffer {
  const { bank } = recipient
  const identity = [recipient.type, recipient.first_name, recipient.last_name, bank.sort_code, bank.account_number]
  return keyedHash(secrets.fingerprintKey, `recipient.v1\n${canonicalText(identity)}`)
}

/** The request to the bank: exactly the same however often it is sent. */
export function transferRequest(
  payout: Pick<
    PayoutRow,
    'id' | 'amount' | 'walletSends' | 'reference' | 'statementReference' | 'createdAt' | 'bankAttempt'
  >,
  parties: Pick<TransferRequest, 'recipient' | 'account' | 'recipientRef'>,
): TransferRequest {
  return {
    recipient: parties.recipient,
    account: parties.account,
    recipientRef: parties.recipientRef,
    clientReference: payout.id,
    receive: payout.amount,
    walletSends: payout.walletSends,
    reference: payout.reference,
    statementReference: payout.statementReference,
    requestedAt: payout.createdAt,
    attempt: payout.bankAttempt,
  }
}
