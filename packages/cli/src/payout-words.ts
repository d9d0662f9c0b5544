// How payouts are shown.
import type { Payout } from '@kestrel/sdk'

import { EXIT, type Exit } from './failure.ts'
import type { Column, Output } from './output.ts'

export const PAYOUT_COLUMNS: readonly Column<Payout>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'STATUS', of: ({ status }) => status },
  { title: 'GBP', of: ({ amount_gbp: amount }) => amount },
  { title: 'RECIPIENT', of: recipientText },
  { title: 'REFERENCE', of: ({ reference }) => reference },
  { title: 'CREATED', of: ({ created_at: at }) => at },
]

export function recipientText({ recipient }: Pick<Payout, 'recipient'>): string {
  return [recipient.name, recipient.account_last4 === null ? null : `…${recipient.account_last4}`]
    .filter((part) => part !== null)
    .join(' ')
}

export function showPayout(out: Output, payout: Payout): void {
  out.record(payout, [
    ['Payout', payout.id],
    ['Status', payout.status],
    ['Amount', `${payout.amount_gbp} GBP`],
    ['Fee', `${payout.fee_gbp} GBP`],
    ['Wallet sent', `${payout.wallet_sent_usdc} USDC`],
    ['Recipient', recipientText(payout)],
    ['Reference', payout.reference],
    ['Why', reasonText(payout)],
    ['Idempotency key', payout.idempotency_key],
    ['Environment', payout.environment],
    ['Created', payout.created_at],
    ['Completed', payout.completed_at],
    ['Refunded', payout.refunded_at],
  ])
}

export function statusLine(payout: Payout): string {
  const why = reasonText(payout)
  return `${payout.updated_at}  ${payout.status}${why === null ? '' : `  ${why}`}`
}

function reasonText({ failure_code: code, failure_reason: reason, retry }: Payout): string | null {
  if (code == null && reason == null) return null
  const again = { no: 'ask the recipient first', after_fix: 'pay again with other details', yes: 'pay again' }
  return [reason ?? code, code === reason ? null : `(${code})`, retry == null ? null : `: ${again[retry]}`]
    .filter((part) => part !== null)
    .join(' ')
    .replace(' :', ':')
}

/** A payout that ended without the money reaching the recipient is no success of the command that waited for it. */
export function exitOf({ status }: Pick<Payout, 'status'>): Exit {
  return ['failed', 'cancelled', 'returned'].includes(status) ? EXIT.refused : EXIT.done
}
