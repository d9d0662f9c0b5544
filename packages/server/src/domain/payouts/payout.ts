// A payout as routes, documents and tables see it: its row without sealed bytes and without fingerprints.
import type { PayoutRow } from '../../storage/payouts.ts'

export type Payout = Omit<PayoutRow, 'recipientSealed' | 'recipientFingerprint' | 'fingerprint' | 'fingerprintKey'>
