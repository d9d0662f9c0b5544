// A payment as the adapter is asked for it, and as the bank answers it.
import { microUsdc, pence } from '../../src/core/money.ts'
import type { TransferRequest } from '../../src/rail/transfer.ts'

export const REQUEST: TransferRequest = {
  account: { holderRef: 'cust_1', walletRef: 'wallet_1' },
  recipientRef: 'ea_1',
  clientReference: '0199a8a0-0000-7000-8000-000000000001',
  receive: pence(2_500n),
  walletSends: microUsdc(32_070_000n),
  recipient: {
    type: 'individual',
    first_name: 'Ada',
    last_name: 'Lovelace',
    address: { line1: '12 St James’s Square', city: 'London', postal_code: 'SW1Y 4JH', region: 'London' },
    bank: { bank_name: 'Monzo', sort_code: '040004', account_number: '12345670' },
  },
  reference: 'Invoice 1042 of November',
  statementReference: 'Invoice 1042 of No',
  requestedAt: new Date('2026-11-02T10:00:00.000Z'),
  attempt: 1,
}

export const CREATED = {
  id: 'tr_1',
  client_reference_id: REQUEST.clientReference,
  on_behalf_of: 'cust_1',
  state: 'pending',
  amount: '32.07',
  destination: { amount: '25.00' },
  receipt: { initial_amount: '32.07' },
  updated_at: '2026-11-02T10:00:00.100Z',
}
