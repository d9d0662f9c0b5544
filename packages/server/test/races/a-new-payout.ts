// A payout as it comes to the first step, for tests that take that step by hand.
import { randomUUID } from 'node:crypto'

import { microUsdc } from '../../src/core/money.ts'
import type { NewPayout } from '../../src/storage/payout-reservations.ts'
import { anIdempotencyKey } from '../support/fixtures.ts'
import { SENDS } from './wallet.ts'

/** Good unless told otherwise. */
export function aNewPayout(overrides: Partial<NewPayout> = {}): NewPayout {
  const id = overrides.id ?? randomUUID()
  return {
    id,
    idempotencyKey: anIdempotencyKey(),
    fingerprint: Buffer.alloc(32, 1),
    fingerprintKey: null,
    createdVia: 'api',
    keyId: null,
    holderVersion: null,
    spenderId: null,
    isLimited: false,
    createdBy: null,
    amount: 2_500n as NewPayout['amount'],
    country: 'GB',
    reference: null,
    statementReference: null,
    recipientName: 'A Name',
    accountLast4: '5678',
    recipientSealed: Buffer.from('sealed'),
    recipientFingerprint: Buffer.alloc(32, 2),
    gbpPerUsd: '0.79',
    fee: 124n as NewPayout['fee'],
    feeInTransfer: 33n as NewPayout['feeInTransfer'],
    feeOnInvoice: 91n as NewPayout['feeOnInvoice'],
    walletSends: microUsdc(SENDS),
    rail: 'simulated',
    leaseToken: randomUUID(),
    marks: { name: Buffer.alloc(16, 3), account: Buffer.alloc(16, 4) },
    ...overrides,
  }
}
