// A payout in our books and its transfer in the bank's, alike in every figure until a test changes one.
import { microUsdc, pence } from '../../src/core/money.ts'
import type { ListedTransfer } from '../../src/rail/transfer.ts'
import type { PayoutAtBank } from '../../src/storage/bank-comparison.ts'

export function aPayout(overrides: Partial<PayoutAtBank> = {}): PayoutAtBank {
  return {
    partnerId: 'partner',
    id: 'payout',
    status: 'completed',
    refundState: 'none',
    sendState: 'accepted',
    transferRef: 'transfer',
    bankState: 'payment_processed',
    amount: pence(2_500n),
    bankSent: null,
    surplus: null,
    toppedUp: microUsdc(0n),
    toppingUp: null,
    madeAt: new Date(0),
    completedAt: null,
    bankUpdatedAt: null,
    walletSends: microUsdc(32_070_000n),
    ...overrides,
  }
}

export function aTransfer(overrides: Partial<ListedTransfer> = {}): ListedTransfer {
  return {
    transferRef: 'transfer',
    clientReference: 'payout',
    holderRef: 'customer',
    state: 'settled',
    refund: 'none',
    bankState: 'payment_processed',
    reason: null,
    nextChangeAt: null,
    send: microUsdc(32_070_000n),
    receive: pence(2_500n),
    updatedAt: new Date(0),
    ...overrides,
  }
}
