import type { PayoutEvent } from '@kestrel/contract'

import { usdc } from '../format/money.ts'

/** One event of a payout as a sentence. */
export function eventWords({ kind, by, usdc: amount }: PayoutEvent): string {
  const who = by === null ? '' : ` by ${by}`
  const money = amount === null ? 'The money' : usdc(amount)
  switch (kind) {
    case 'created':
      return `Created${who}`
    case 'reserved':
      return `${money} reserved from your wallet`
    case 'sent':
      return 'Sent to the bank by Faster Payments'
    case 'waiting':
      return 'Waiting for the bank to confirm'
    case 'completed':
      return 'Completed. The money is in the recipient’s account'
    case 'failed':
      return 'Failed. Nothing was charged'
    case 'cancelled':
      return `Cancelled${who}. Nothing was charged`
    case 'returned':
      return 'Returned by the recipient’s bank'
    case 'refunded':
      return `${money} back in your wallet`
  }
}
