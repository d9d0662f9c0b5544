// The log of a demo business: a payout, and one that was refused.
import type { ActivityDetail, ActivityEntry } from '@kestrel/contract'

const list = (...data: readonly ActivityEntry[]) => ({ object: 'list' as const, data })

const asked = (id: string, ms: number) => ({
  id,
  request_id: id,
  method: 'POST',
  path: '/v1/payouts',
  duration_ms: ms,
  ip: '203.0.113.7',
  key_id: '01a0f67a-3800-7a1c-8d02-4be1c0955f37',
})

export const ACTIVITY = list(
  {
    at: '2026-11-02T09:15:30.133Z',
    environment: 'sandbox',
    action: 'payout.create',
    status: 201,
    by: 'kp_sandbox_5d0c1a',
    detail: '01a19b8a-d7c6-7269-bef2-a74de452e6b4',
    ...asked('01a19b8a-d7b5-790c-81d3-ac94af0f21dd', 18),
    summary: 'The API key kp_sandbox_5d0c1a created a payout of £25.00',
    by_name: null,
    subject: '£25.00',
    changes: [],
  },
  {
    at: '2026-11-02T09:15:11.902Z',
    environment: 'sandbox',
    action: 'payout.create',
    status: 422,
    by: 'kp_sandbox_5d0c1a',
    detail: 'invalid_recipient',
    ...asked('01a19b8a-8f4e-7c1b-9d36-5be20c7f4a19', 3),
    summary: 'The API key kp_sandbox_5d0c1a tried to create a payout, which was refused (invalid_recipient)',
    by_name: null,
    subject: null,
    changes: [],
  },
)

export const ACTIVITY_DETAIL: ActivityDetail = {
  ...ACTIVITY.data[1]!,
  idempotency_key: 'order-1042',
  kept_until: '2026-11-16T09:15:11.902Z',
  request: {
    query: null,
    headers: { 'Content-Type': 'application/json' },
    body: '{"amount_gbp":"25.00","recipient":{"first_name":"*****","last_name":"******","bank":{"sort_code":"*****","account_number":"********"}}}',
    bytes: 149,
    cut: false,
    left_out: null,
  },
  response: {
    body: '{"error":{"code":"invalid_recipient","message":"The recipient is incomplete or malformed: recipient.bank.sort_code (6 digits).","details":{"missing":["recipient.bank.sort_code (6 digits)"]},"request_id":"01a19b8a-8f4e-7c1b-9d36-5be20c7f4a19"}}',
    bytes: 309,
    cut: false,
    left_out: null,
  },
  curl: [
    `curl 'https://api.kestrel.example/v1/payouts'`,
    '-H "Authorization: Bearer $KESTREL_API_KEY"',
    `-H 'Idempotency-Key: order-1042'`,
    `-H 'Content-Type: application/json'`,
    `-d '{"amount_gbp":"25.00","recipient":{"first_name":"*****","last_name":"******","bank":{"sort_code":"*****","account_number":"********"}}}'`,
  ].join(' \\\n  '),
}

const ACTIVITY_HEADINGS =
  '"When (UTC)","By","Action","About","Environment","Status","Method","Path","From address","Took (ms)","Entry","In words"'
const ACTIVITY_LINE =
  '"2026-11-02T09:15:30.133Z","kp_sandbox_5d0c1a","payout.create","01a19b8a-d7c6-7269-bef2-a74de452e6b4","sandbox","201","POST","/v1/payouts","203.0.113.7","18","01a19b8a-d7b5-790c-81d3-ac94af0f21dd","The API key kp_sandbox_5d0c1a created a payout of £25.00"'

export const ACTIVITY_EXPORT = `${ACTIVITY_HEADINGS}\r\n${ACTIVITY_LINE}\r\n`
