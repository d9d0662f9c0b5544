import type { RecipientSummary } from '@kestrel/contract'

import { formatPence } from '../../core/money.ts'
import type { summariseRecipients } from '../../domain/recipients/summarise-recipients.ts'

type ItemOf<F extends (...args: never) => Promise<readonly unknown[]>> = Awaited<ReturnType<F>>[number]

export function presentList<T>(items: readonly T[]): { object: 'list'; data: T[] } {
  return { object: 'list', data: [...items] }
}

export function presentRecipient(recipient: ItemOf<typeof summariseRecipients>): RecipientSummary {
  return {
    name: recipient.name,
    account_last4: recipient.accountLast4,
    payouts: recipient.payouts,
    paid_gbp: formatPence(recipient.paid),
    last_paid_at: recipient.lastPaidAt.toISOString(),
  }
}
