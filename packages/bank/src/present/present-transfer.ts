// A transfer as the real bank shows it.
import { formatPence, formatUsdc, subtractUsdc } from '../core/money.ts'
import type { Transfer } from '../storage/transfers.ts'
import { receiptUrl } from './present-deposit.ts'

export function presentTransfer(transfer: Transfer, publicUrl: string): object {
  return {
    id: transfer.id,
    client_reference_id: transfer.clientReferenceId ?? undefined,
    state: transfer.state,
    on_behalf_of: transfer.customerId,
    amount: formatUsdc(transfer.amount),
    currency: 'usd',
    developer_fee: formatUsdc(transfer.developerFee),
    source: {
      payment_rail: 'bridge_wallet',
      currency: 'usdc',
      bridge_wallet_id: transfer.walletId,
      from_address: transfer.walletAddress,
    },
    destination: {
      payment_rail: 'faster_payments',
      currency: 'gbp',
      external_account_id: transfer.externalAccountId,
      amount: formatPence(transfer.destination),
      reference: transfer.reference ?? undefined,
      trace_number: traceNumber(transfer),
    },
    receipt: receiptOf(transfer, publicUrl),
    ...(transfer.returnReason === null ? {} : { return_details: returnDetails(transfer) }),
    created_at: transfer.createdAt,
    updated_at: transfer.updatedAt,
  }
}

/** The dollars are split by subtraction, so they always sum; what arrives is in pounds. */
function receiptOf(transfer: Transfer, publicUrl: string): object {
  const afterFee = subtractUsdc(transfer.amount, transfer.developerFee)
  return {
    initial_amount: formatUsdc(transfer.amount),
    developer_fee: formatUsdc(transfer.developerFee),
    exchange_fee: formatUsdc(transfer.exchangeFee),
    subtotal_amount: formatUsdc(subtractUsdc(afterFee, transfer.exchangeFee)),
    gas_fee: '0.00',
    final_amount: formatPence(transfer.destination),
    exchange_rate: transfer.rate,
    url: receiptUrl(transfer.id, publicUrl),
  }
}

function returnDetails(transfer: Transfer): object {
  return { reason: transfer.returnReason, refund_reference_id: transfer.refundReference ?? undefined }
}

/** The scheme gives a payment its number when it receives it. */
function traceNumber(transfer: Transfer): string | undefined {
  const wasSubmitted = ['payment_submitted', 'payment_processed', 'returned'].includes(transfer.state)
  return wasSubmitted && transfer.seq !== null ? transfer.seq.toString().padStart(15, '0') : undefined
}
