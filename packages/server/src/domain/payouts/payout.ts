// A payout as routes, documents and tables see it: its row without sealed bytes, without fingerprints, and without the lease
// of whoever works on it.
import type { PayoutRow } from '../../storage/payouts.ts'

export type Payout = Omit<
  PayoutRow,
  'recipientSealed' | 'recipientFingerprint' | 'fingerprint' | 'fingerprintKey' | 'leaseToken' | 'leaseUntil'
>
