// A transfer as the real bank shows it.
import { type MicroUsdc, formatPence, formatUsdc, microUsdc, subtractUsdc } from '../core/money.ts'
import type { TopUp } from '../storage/top-ups.ts'
import type { Transfer } from '../storage/transfers.ts'
import { receiptUrl } from './present-deposit.ts'

export function presentTransfer(transfer: Transfer, publicUrl: string): object {
  return {
    id: transfer.id,
    client_reference_id: transfer.clientReferenceId ?? undefined,
    state: transfer.state,
    on_behalf_of: transfer.customerId,
    amount: formatUsdc(transfer.shown ?? transfer.amount),
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
    ...(transfer.missing === null ? {} : { additional_funding_instructions: funding(transfer.id, transfer.missing) }),
    ...(transfer.returnReason === null ? {} : { return_details: returnDetails(transfer) }),
    created_at: transfer.createdAt,
    updated_at: transfer.updatedAt,
  }
}

function funding(transferId: string, missing: MicroUsdc): object {
  return {
    amount: formatUsdc(missing),
    destination: { payment_rail: 'bridge_transfer', currency: 'usdc', bridge_transfer_id: transferId },
  }
}

/**
 * The dollars are split by subtraction, so they always sum; what arrives is in pounds. What is left over is the
 * developer's, and is known once the dollars are exchanged.
 */
function receiptOf(transfer: Transfer, publicUrl: string): object {
  const { surplus } = transfer
  const initial = transfer.shown ?? transfer.amount
  const afterFee = subtractUsdc(initial, transfer.developerFee)
  return {
    initial_amount: formatUsdc(initial),
    developer_fee: formatUsdc(transfer.developerFee),
    exchange_fee: '0.00',
    ...(surplus === null ? {} : { developer_exchange_fee: { amount: formatUsdc(surplus), currency: 'usdc' } }),
    subtotal_amount: formatUsdc(subtractUsdc(afterFee, surplus ?? microUsdc(0n))),
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

/** Money that was added to a transfer, as a transfer of its own. */
export function presentTopUp(topUp: TopUp): object {
  return {
    id: topUp.id,
    state: 'payment_processed',
    amount: formatUsdc(topUp.amount),
    currency: 'usd',
    developer_fee: '0.00',
    source: { payment_rail: 'bridge_wallet', currency: 'usdc', bridge_wallet_id: topUp.walletId },
    destination: { payment_rail: 'bridge_transfer', currency: 'usdc', bridge_transfer_id: topUp.transferId },
    created_at: topUp.createdAt,
    updated_at: topUp.createdAt,
  }
}
