// A demo business's account: its facts, balance and bill. The month has 40 payouts of 85.00 pounds.
import type { Account, ApiKey, Balance, Compliance, GoLive, Invoice, RecipientSummary, Usage } from '@kestrel/contract'

interface ListOf<T> {
  readonly object: 'list'
  readonly data: readonly T[]
}

const list = <T>(...data: readonly T[]): ListOf<T> => ({ object: 'list', data })

export const ACCOUNT: Account = {
  object: 'account',
  id: '01a0f67a-3800-70ed-9995-31985d5d9dc9',
  name: 'Thistle Market',
  status: 'active',
  environment: 'sandbox',
  funding_wallet: { currency: 'USDC', chain: 'base', address: null },
  enabled_countries: ['GB'],
  prices: {
    payout: '0.99 GBP + 1.00%',
    monthly_account: '15.00 GBP',
    business_verification: '39.00 GBP, once',
    network_fees: 'cost + 10.00%, about 0.022 GBP a payout',
    bank_exceptions: 'cost + 20.00%, about 3.00 GBP each',
  },
  rail: 'simulated',
  payouts_pause: null,
}

export const BALANCE: Balance = {
  object: 'balance',
  usdc: '9967.93',
  approx_gbp: '7874.66',
  gbp_per_usd: 0.79,
  runway: { days: 12.4, payouts: 312, gbp_per_day: '635.06', suggested_top_up_usdc: '1287.00' },
}

export const COMPLIANCE: Compliance = {
  object: 'compliance',
  business_verification: {
    status: 'approved',
    provider_status: null,
    continue_url: null,
    terms_url: null,
    can_start: true,
    live_open: true,
    missing: [],
  },
  account: {
    isolated_wallet: true,
    wallet_chain: 'base',
    enabled_countries: ['GB'],
    payout_limits_gbp: { min: '1.00', max_per_payout: '20000.00' },
    billing_email: 'finance@thistle.example',
    contact_email: 'finance@thistle.example',
  },
  screening: 'clear',
}

export const RECIPIENTS = list<RecipientSummary>(
  {
    name: 'Amara Okafor',
    account_last4: '5678',
    payouts: 4,
    paid_gbp: '75.00',
    last_paid_at: '2026-11-02T09:15:32.204Z',
  },
  {
    name: 'Rowan Ellis Joinery Ltd',
    account_last4: '2490',
    payouts: 1,
    paid_gbp: '1250.00',
    last_paid_at: '2026-10-30T16:02:11.470Z',
  },
)

export const USAGE: Usage = {
  object: 'usage',
  period_start: '2026-11-01',
  payouts: { count: 42, completed: 40, paid_to_sellers_gbp: '3400.00', fees_gbp: '73.60' },
  invoice_so_far: {
    lines: [
      {
        kind: 'payout_fees',
        description: 'Payout fees (the part billed monthly)',
        quantity: 40,
        unit_price_gbp: null,
        unit_price_exact_gbp: null,
        amount_gbp: '48.40',
      },
      {
        kind: 'monthly_account',
        description: 'Monthly account',
        quantity: 1,
        unit_price_gbp: '15.00',
        unit_price_exact_gbp: '15.00',
        amount_gbp: '15.00',
      },
      {
        kind: 'network_fees',
        description: 'Network fees, at cost plus a share',
        quantity: 40,
        unit_price_gbp: null,
        unit_price_exact_gbp: '0.022',
        amount_gbp: '0.88',
      },
    ],
    total_gbp: '64.28',
  },
}

const OCTOBER = { period_start: '2026-10-01', period_end: '2026-10-31' } as const

export const INVOICE: Invoice = {
  id: '01a1946c-7be0-76f0-b316-00a35a099950',
  number: 'KP-2026-000123',
  period: '2026-10',
  status: 'issued',
  total_gbp: '64.28',
  issued_at: '2026-11-01T00:05:00.000Z',
  due_at: '2026-11-15T00:05:00.000Z',
  paid_at: null,
  voided_at: null,
  how_to_pay: 'Sort code 04-00-75, account 12345678, Kestrel Payouts Ltd.',
  lines: [
    {
      line: 1,
      kind: 'payout_fees',
      description: 'Payout fees (the part billed monthly)',
      quantity: 40,
      unit_price_gbp: null,
      unit_price_exact_gbp: null,
      amount_gbp: '48.40',
      ...OCTOBER,
    },
    {
      line: 2,
      kind: 'monthly_account',
      description: 'Monthly account',
      quantity: 1,
      unit_price_gbp: '15.00',
      unit_price_exact_gbp: '15.00',
      amount_gbp: '15.00',
      ...OCTOBER,
    },
    {
      line: 3,
      kind: 'network_fees',
      description: 'Network fees, at cost plus a share',
      quantity: 40,
      unit_price_gbp: null,
      unit_price_exact_gbp: '0.022',
      amount_gbp: '0.88',
      ...OCTOBER,
    },
  ],
}

export const INVOICES = list<Invoice>(INVOICE)

export const KEYS = list<ApiKey>(
  {
    id: '01a10b9c-fc40-7173-b83d-9c172411e20b',
    environment: 'live',
    key_prefix: 'kp_live_9f2c41',
    label: 'orders',
    created_at: '2026-10-05T10:30:00.000Z',
    last_used_at: '2026-11-02T09:15:30.133Z',
    last_used_ip: '203.0.113.7',
    revoked_at: null,
    created_by: 'demo@thistle.test',
    expires_at: null,
    replaced_by: null,
    scopes: ['read', 'quote', 'pay'],
    max_per_payout_gbp: '250.00',
    daily_gbp: '1000.00',
    monthly_gbp: '20000.00',
    allowed_ips: ['203.0.113.0/24'],
    spent_today_gbp: '75.00',
    spent_this_month_gbp: '1240.00',
  },
  {
    id: '01a0f67a-3800-7a1c-8d02-4be1c0955f37',
    environment: 'sandbox',
    key_prefix: 'kp_sandbox_5d0c1a',
    label: 'First key',
    created_at: '2026-10-01T08:00:00.000Z',
    last_used_at: null,
    last_used_ip: null,
    revoked_at: null,
    created_by: null,
    expires_at: null,
    replaced_by: null,
    scopes: ['read', 'quote', 'pay', 'webhooks', 'sandbox'],
    max_per_payout_gbp: null,
    daily_gbp: null,
    monthly_gbp: null,
    allowed_ips: null,
    spent_today_gbp: null,
    spent_this_month_gbp: null,
  },
)

export const GO_LIVE: GoLive = {
  object: 'go_live',
  done: 2,
  total: 4,
  steps: [
    {
      id: 'first_payout',
      title: 'Send a test payout',
      done: true,
      url: 'http://localhost:3000/dashboard/payouts/new?environment=sandbox',
    },
    { id: 'replay_seen', title: 'Repeat a request under its key', done: true, url: 'http://localhost:3000/docs' },
    { id: 'two_admins', title: 'Name a second admin', done: false, url: 'http://localhost:3000/dashboard/team' },
    {
      id: 'verification',
      title: 'Verify your business',
      done: false,
      url: 'http://localhost:3000/dashboard/compliance',
    },
  ],
}
