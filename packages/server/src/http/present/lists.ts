import type { ActivityEntry, RecipientSummary } from '@kestrel/contract'

import { formatPence } from '../../core/money.ts'
import type { listActivity } from '../../domain/activity/list-activity.ts'
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

export function presentActivity(entry: ItemOf<typeof listActivity>): ActivityEntry {
  return {
    at: entry.at.toISOString(),
    environment: entry.environment,
    action: entry.action,
    status: entry.status,
    by: entry.by,
    detail: entry.detail,
    id: entry.id,
    // An entry about a request has that request's id.
    request_id: entry.method === null ? null : entry.id,
    method: entry.method,
    path: entry.path,
    duration_ms: entry.durationMs,
    ip: entry.ip,
    key_id: entry.keyId,
  }
}
