// Whether a payout is in doubt, and whether it was given up: only one in doubt may ever be asked for again.
import { UNDONE } from '@kestrel/contract'

import type { PayoutRow } from '../../storage/payouts.ts'

type Standing = Pick<PayoutRow, 'status' | 'sendState' | 'providerRef'>

export function isInDoubt({ status, sendState, providerRef }: Standing): boolean {
  return status === 'pending' && providerRef === null && (sendState === 'sending' || sendState === 'unknown')
}

/** Also a payout that ended without a transfer, because the bank refused it or the operator said so. */
export function isGivenUp({ status, sendState, providerRef }: Standing): boolean {
  return sendState === 'not_sent' || sendState === 'rejected' || (UNDONE.has(status) && providerRef === null)
}
