// One event of each type as the documentation shows it.
import { ACCOUNT, INVOICE, KEYS } from './account-examples.ts'
import { FUNDING } from './bank-examples.ts'
import { VIEWER } from './dashboard-examples.ts'
import type { SentType } from './event-kinds.ts'
import { CANCELLED, COMPLETED, FAILED, PENDING, PROCESSING, RETURNED } from './payout-examples.ts'
import { ENDPOINT } from './webhook-examples.ts'

interface Shown {
  readonly subject: { readonly object: string; readonly id: string }
  readonly data: object
}

const about = (object: string, data: Readonly<Record<string, unknown>> & { readonly id: string }): Shown => ({
  subject: { object, id: data.id },
  data,
})
const ofAccount = (data: object): Shown => ({ subject: { object: 'account', id: ACCOUNT.id }, data })
const ofBalance = (usdc: string) => ofAccount({ object: 'balance', usdc, low_balance_usdc: '50.00' })

const invoice = { ...INVOICE, how_to_pay: null }
const key = KEYS.data[1]!
const AT = '2026-11-02T09:15:32.204Z'

const SHOWN: Readonly<Record<SentType, Shown>> = {
  'payout.created': about('payout', PROCESSING),
  'payout.pending': about('payout', PENDING),
  'payout.processing': about('payout', PROCESSING),
  'payout.completed': about('payout', COMPLETED),
  'payout.failed': about('payout', FAILED),
  'payout.cancelled': about('payout', CANCELLED),
  'payout.returned': about('payout', RETURNED),
  'payout.refunded': about('payout', FAILED),
  'balance.low': ofBalance('20.00'),
  'balance.recovered': ofBalance('520.00'),
  'deposit.received': about('deposit', FUNDING.deposits[0]!),
  'invoice.issued': about('invoice', invoice),
  'invoice.paid': about('invoice', { ...invoice, status: 'paid', paid_at: AT }),
  'invoice.overdue': about('invoice', { ...invoice, status: 'overdue' }),
  'invoice.void': about('invoice', { ...invoice, status: 'void', voided_at: AT }),
  'verification.changed': ofAccount({
    object: 'compliance',
    business_verification: { status: 'approved', provider_status: 'active' },
  }),
  'api_key.created': about('api_key', key),
  'api_key.changed': about('api_key', { ...key, scopes: ['read'] }),
  'api_key.rotated': about('api_key', {
    ...key,
    expires_at: '2026-11-03T09:15:32.204Z',
    replaced_by: KEYS.data[0]!.id,
  }),
  'api_key.revoked': about('api_key', { ...key, revoked_at: AT }),
  'member.limits_changed': about('member', {
    ...VIEWER,
    daily_gbp: '500.00',
    spent_today_gbp: '0.00',
    spent_this_month_gbp: '0.00',
  }),
  'webhook_endpoint.disabled': about('webhook_endpoint', {
    object: 'webhook_endpoint',
    id: ENDPOINT.id,
    environment: 'sandbox',
    host: 'hooks.thistle.example',
    status: 'disabled',
    disabled_reason: 'failing',
    disabled_at: AT,
  }),
  ping: about('webhook_endpoint', ENDPOINT),
}

export function eventOfType(type: SentType): object {
  const { subject, data } = SHOWN[type]
  return {
    object: 'event',
    id: '01a19b8a-dfec-7c3d-8b92-6e1f0a4d5c38',
    type,
    environment: /^(balance|invoice)/.test(type) ? 'live' : 'sandbox',
    occurred_at: AT,
    subject,
    sequence: 1,
    request_id: null,
    data,
  }
}
