// The upgrade to failure codes says of payouts that had ended before it what the program says of new ones.
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { failureCodeOf } from '../../src/domain/payouts/record/failure-reasons.ts'
import { MIGRATIONS_FOLDER } from '../../src/package-root.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { type Owner, emptyDatabase, ownerOf } from './owner.ts'

const PARTNER = '01a0f67a-3800-70ed-9995-31985d5d9dc9'
const CODES =
  '1100 1114 1160 1161 1162 1163 1164 1165 1166 1167 1168 1169 1170 1172 1181 1909 1930 9909 9910 9913 AC01 AC03 AC06 AC07 AC09 AG01 BE08 MD09 MS03 PY01 CB_AccountSwitched CB_AccountNameAndNumberMismatch CB_PaymentReferenceMissing CB_PaymentReferenceIncorrect CB_FailedModulusCheck 00000001 00000002 00000003 00000005 00000006 00000012'.split(
    ' ',
  )
const REASONS = [
  null,
  '',
  'free words',
  'ref 911142',
  'AC033',
  ...CODES.map((code) => `Sent back (${code}) by the bank`),
]
const CASES = REASONS.flatMap((reason) =>
  (['failed', 'cancelled', 'returned'] as const).map((status) => ({ reason, status })),
)
const ENDED = '2026-11-02T11:00:00.000Z'
const BACK = '2026-11-02T12:00:00.000Z'

let database: Awaited<ReturnType<typeof emptyDatabase>>
let owner: Owner
let folder: string
beforeAll(async () => {
  database = await emptyDatabase()
  owner = await ownerOf(database.url)
  folder = mkdtempSync(join(tmpdir(), 'kestrel-migrations-'))
  for (const name of readdirSync(MIGRATIONS_FOLDER).filter((each) => !each.endsWith('failure_codes.sql')))
    cpSync(join(MIGRATIONS_FOLDER, name), join(folder, name))
  await migrate({ url: database.url, folder })
  await owner.query(
    `insert into partners (id, slug, name, verification_status, verified_at, created_at)
     values ('${PARTNER}', 'acme', 'Acme', 'approved', now(), now())`,
  )
  await owner.query(
    `insert into wallets (partner_id, environment, rail, created_at) values ('${PARTNER}', 'sandbox', 'simulated', now())`,
  )
})
afterAll(async () => {
  await owner.end()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const payout = (nth: number) => `01a0f67a-3800-70ed-9995-${String(nth).padStart(12, '0')}`

it('gives every ending its code, and the moment when its money was back if it is', async () => {
  for (const [nth, { reason, status }] of CASES.entries()) {
    await owner.query(
      `insert into payouts (partner_id, environment, id, idempotency_key, fingerprint, created_via, amount_pence, country,
         recipient_name, account_last4, recipient_sealed, recipient_fingerprint, gbp_per_usd, fee_pence,
         fee_in_transfer_pence, fee_on_invoice_pence, wallet_sends_micro, created_at, updated_at, rail, send_state, status,
         surfaced_at, failure_reason, provider_reason, refund_state, ended_at)
       values ('${PARTNER}', 'sandbox', $1::uuid, 'order-' || $1::uuid, sha256('x'), 'api', 2500, 'GB', 'Amara Okafor', '5678', 'sealed',
         sha256('y'), 0.79, 124, 33, 91, 32070000, '2026-11-02T09:00:00Z', '${BACK}', 'simulated', 'accepted', $2, now(),
         'words', $3, $4, '${ENDED}')`,
      [payout(nth), status, reason, nth % 2 === 0 ? 'done' : 'due'],
    )
  }
  await migrate({ url: database.url, folder: MIGRATIONS_FOLDER })
  const rows = await owner.query<{ id: string; code: string; at: Date | null }>(
    'select id, failure_code as code, refunded_at as at from payouts order by id',
  )
  expect(rows).toEqual(
    CASES.map(({ reason, status }, nth) => ({
      id: payout(nth),
      code: failureCodeOf(status, reason),
      // There is no entry in the ledger here: then the ending itself is the nearest moment.
      at: nth % 2 === 0 ? new Date(ENDED) : null,
    })),
  )
})
