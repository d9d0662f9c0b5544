// The two ways in, and what came in through them, as the real bank shows them.
import { formatPence, formatUsdc } from '../core/money.ts'
import type { Drain, LiquidationAddress } from '../storage/liquidation-addresses.ts'
import type { VirtualAccount, VirtualAccountEvent } from '../storage/virtual-accounts.ts'

export const SANDBOX_BANK_NAME = 'Sandbox Bank'
const SANDBOX_BANK_ADDRESS = '1 Sandbox Street, London, EC1A 1AA'

export function presentVirtualAccount(account: VirtualAccount): object {
  return {
    id: account.id,
    status: 'activated',
    developer_fee_percent: account.developerFeePercent,
    customer_id: account.customerId,
    created_at: account.createdAt,
    source_deposit_instructions: {
      currency: 'gbp',
      payment_rails: ['faster_payments'],
      bank_name: SANDBOX_BANK_NAME,
      bank_address: SANDBOX_BANK_ADDRESS,
      account_holder_name: account.accountHolderName,
      bank_beneficiary_name: account.accountHolderName,
      sort_code: account.sortCode,
      account_number: account.accountNumber,
    },
    destination: {
      currency: 'usdc',
      payment_rail: account.chain,
      address: account.walletAddress,
      bridge_wallet_id: account.walletId,
    },
  }
}

/** What comes in is shown in pounds; what goes on to the wallet, in USDC or, by the bank's terms, in pounds too. */
export function presentVirtualAccountEvent(event: VirtualAccountEvent, publicUrl: string): object {
  const isIncoming = event.type === 'funds_received' || event.shownIn === 'gbp'
  const credited = formatUsdc(event.credited)
  return {
    id: event.id,
    type: event.type,
    customer_id: event.customerId,
    virtual_account_id: event.virtualAccountId,
    amount: isIncoming ? formatPence(event.received) : credited,
    currency: isIncoming ? 'gbp' : 'usdc',
    developer_fee_amount: '0.00',
    exchange_fee_amount: '0.00',
    subtotal_amount: isIncoming ? formatPence(event.received) : credited,
    gas_fee: '0.00',
    deposit_id: event.depositId,
    destination_payment_rail: event.chain,
    source: { payment_rail: 'faster_payments' },
    created_at: event.createdAt,
    ...(event.type === 'payment_processed' ? { receipt: depositReceipt(event, publicUrl) } : {}),
  }
}

function depositReceipt(event: VirtualAccountEvent, publicUrl: string): object {
  return {
    initial_amount: formatPence(event.received),
    developer_fee: '0.00',
    exchange_fee: '0.00',
    subtotal_amount: formatPence(event.received),
    gas_fee: '0.00',
    final_amount: formatUsdc(event.credited),
    exchange_rate: event.rate,
    url: receiptUrl(event.depositId, publicUrl),
  }
}

export function presentLiquidationAddress(address: LiquidationAddress): object {
  return {
    id: address.id,
    customer_id: address.customerId,
    chain: address.chain,
    currency: address.currency,
    address: address.address,
    external_account_id: null,
    destination_payment_rail: address.walletChain,
    destination_currency: 'usdc',
    destination_address: address.walletAddress,
    return_address: address.returnAddress ?? undefined,
    state: 'active',
    created_at: address.createdAt,
    updated_at: address.updatedAt,
  }
}

export function presentDrain(drain: Drain, publicUrl: string): object {
  const amount = formatUsdc(drain.amount)
  return {
    id: drain.id,
    amount,
    customer_id: drain.customerId,
    liquidation_address_id: drain.liquidationAddressId,
    currency: 'usdc',
    state: drain.state,
    created_at: drain.createdAt,
    updated_at: drain.updatedAt,
    deposit_tx_hash: drain.depositTxHash,
    from_address: drain.fromAddress,
    source_payment_rail: drain.chain,
    destination: { payment_rail: drain.walletChain, currency: 'usdc', to_address: drain.walletAddress },
    ...(drain.state === 'payment_processed' ? { destination_tx_hash: drain.destinationTxHash } : {}),
    receipt: {
      initial_amount: amount,
      developer_fee: '0.00',
      subtotal_amount: amount,
      exchange_rate: '1.000000',
      converted_amount: amount,
      outgoing_amount: amount,
      destination_currency: 'usdc',
      url: receiptUrl(drain.id, publicUrl),
    },
  }
}

export function receiptUrl(id: string, publicUrl: string): string {
  return new URL(`/receipts/${id}`, publicUrl).href
}
