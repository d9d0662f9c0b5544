// Requests to a running program, and what is in its database.
import { aPayoutBody, type PayoutBody } from '../support/fixtures.ts'
import type { Owner } from '../storage/owner.ts'
import { type Settings, run } from './program.ts'

export interface Answer {
  readonly status: number
  readonly body: { id: string; status: string; error?: { code: string } }
}

export async function postPayout(
  url: string,
  apiKey: string,
  idempotencyKey: string,
  body: PayoutBody = {},
): Promise<Answer> {
  const reply = await fetch(`${url}/v1/payouts`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'idempotency-key': idempotencyKey,
      'content-type': 'application/json',
    },
    body: JSON.stringify(aPayoutBody(body)),
  })
  return { status: reply.status, body: (await reply.json()) as Answer['body'] }
}

/** A business made by the command line, with its sandbox key. */
export async function createPartner(settings: Settings, slug: string): Promise<{ id: string; key: string }> {
  const ended = await run(['partner', 'create', '--name', 'Thistle Market', '--slug', slug, '--json'], settings)
  if (ended.code !== 0) throw new Error(ended.stderr)
  const made = JSON.parse(ended.stdout) as { partner: { id: string }; sandbox_key: string }
  return { id: made.partner.id, key: made.sandbox_key }
}

/** The wallet of the only partner that has one in use. */
export async function sandboxWallet(owner: Owner, partnerId: string): Promise<Record<string, bigint>> {
  const rows = await owner.query<{ account: string; balance: string }>(
    `select account, balance from ledger_accounts where partner_id = $1 and environment = 'sandbox'
        and account in ('available', 'held', 'in_transit', 'paid_out')`,
    [partnerId],
  )
  return Object.fromEntries(rows.map(({ account, balance }) => [account, BigInt(balance)]))
}
