// A payout's row is rewritten in place and only there; what moves while it is followed lies beside it, also after an upgrade.
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { MIGRATIONS_FOLDER } from '../../src/package-root.ts'
import { claimDuePayouts } from '../../src/storage/payout-follow-ups.ts'
import { migrate } from '../../src/storage/migrate.ts'
import type { SqlStatement, Tx } from '../../src/storage/sql.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { aPartner, createPayout } from '../support/fixtures.ts'
import { askEachTime } from '../support/three-steps.ts'
import { type Owner, PATIENT, emptyDatabase, ownerOf } from './owner.ts'

describe('a payout', () => {
  let test: TestApp
  let owner: Owner
  beforeAll(async () => {
    test = await startTestApp()
    askEachTime(test)
    owner = await ownerOf(test.database.url)
  })
  afterAll(async () => {
    await owner.end()
    await test.close()
  })

  it('is in no index by anything that following it changes, except by what happens to few and once', async () => {
    // Every column that a payout gets after it was asked for.
    const MOVING =
      /\b(status|send_state|surfaced_at|provider_\w+|failure_reason|refund_state|completed_at|updated_at|checks|lease_\w+|next_check_at|unanswered_at|bank_\w+_micro|surplus_micro|bank_updated_at|listed_by)\b/
    const rows = await owner.query<{ name: string; def: string }>(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as def from pg_index
        where indrelid = 'payouts'::regclass order by 1`,
    )
    expect(rows.filter(({ def }) => MOVING.test(def.replace(/^.* USING/, '')))).toEqual([])
    // ended_at: of payouts that did not arrive. released_at: of attempts that never were one.
    const once = rows.filter(({ def }) => /ended_at|released_at|bank_attempt/.test(def))
    expect(once.map(({ name }) => name)).toEqual([
      'payouts_ended',
      'payouts_idempotency_key',
      'payouts_listed',
      'payouts_not_delivered',
      'payouts_of_reference',
      'payouts_refused_before',
    ])
  })

  it('is rewritten in place, however many are made at once, and leaves nothing to follow', async () => {
    const partner = await aPartner(test)
    // Somebody who was paid before, and never the same sum: nothing to warn of.
    await createPayout(test, partner, { amount_gbp: '2.00' })
    const made = await Promise.all(
      Array.from({ length: 60 }, (_, index) => createPayout(test, partner, { amount_gbp: `1.${10 + index}` })),
    )
    expect(new Set(made.map((reply) => reply.statusCode))).toEqual(new Set([201]))
    const followed = async () => (await owner.query('select from payout_follow_ups')).length
    expect(await followed()).toBe(61)
    test.clock.advance(3_600_000)
    await test.follow()
    expect(await followed()).toBe(0)
    const writes = async () =>
      (
        await owner.query<{ all: number; inPlace: number; elsewhere: number }>(
          `select n_tup_upd::int as all, n_tup_hot_upd::int as "inPlace", n_tup_newpage_upd::int as elsewhere
             from pg_stat_user_tables where relname = 'payouts'`,
        )
      )[0]!
    await expect.poll(async () => (await writes()).all, PATIENT).toBeGreaterThanOrEqual(120)
    const { all, inPlace, elsewhere } = await writes()
    // There is always room for the first rewrite. For the second there is once the first row's space is free, which
    // whoever reads the database at that moment (an ANALYZE by itself) puts off: then the page was full, and no index is to blame.
    expect(inPlace / all).toBeGreaterThan(0.45)
    expect((inPlace + elsewhere) / all).toBeGreaterThan(0.8)
  })
})

describe('the upgrade to follow-ups', () => {
  const PARTNER = '01a0f67a-3800-70ed-9995-31985d5d9dc9'
  const [OPEN, HELD, DONE, LATE] = [1, 2, 3, 4].map((n) => `01a0f67a-3800-70ed-9995-31985d5d9d0${n}`)
  const HOLDER = '01a0f67a-3800-70ed-9995-31985d5d9dff'
  /** As the release before writes it. */
  const payout = (id: string, follow: string) =>
    `insert into payouts (partner_id, environment, id, idempotency_key, fingerprint, created_via, amount_pence, country,
       recipient_name, account_last4, recipient_sealed, recipient_fingerprint, gbp_per_usd, fee_pence,
       fee_in_transfer_pence, fee_on_invoice_pence, wallet_sends_micro, created_at, updated_at, rail, send_state,
       next_check_at, lease_token, lease_until, checks)
     values ('${PARTNER}', 'live', '${id}', 'order-${id}', sha256('x'), 'api', 2500, 'GB', 'Amara Okafor', '5678', 'sealed',
       sha256('y'), 0.79, 124, 33, 91, 32070000, '2026-11-02T09:00:00Z', now(), 'provider_production', 'sending', ${follow})`
  const HOLDING = `'2026-11-02T10:00:30Z', '${HOLDER}', '2026-11-02T10:00:30Z', 0`
  let database: Awaited<ReturnType<typeof emptyDatabase>>
  let owner: Owner
  let folder: string
  beforeEach(async () => {
    database = await emptyDatabase()
    owner = await ownerOf(database.url)
    folder = mkdtempSync(join(tmpdir(), 'kestrel-migrations-'))
    for (const name of readdirSync(MIGRATIONS_FOLDER).filter((each) => each < '0047'))
      cpSync(join(MIGRATIONS_FOLDER, name), join(folder, name))
    await migrate({ url: database.url, folder })
    await owner.query(
      `insert into partners (id, slug, name, verification_status, verified_at, created_at)
       values ('${PARTNER}', 'acme', 'Acme', 'approved', now(), now())`,
    )
    await owner.query(
      `insert into wallets (partner_id, environment, rail, created_at) values ('${PARTNER}', 'live', 'provider_production', now())`,
    )
    await owner.query(payout(OPEN!, `'2026-11-02T10:00:00Z', null, null, 3`))
    await owner.query(payout(HELD!, HOLDING))
    await owner.query(payout(DONE!, 'null, null, null, 0'))
    await migrate({ url: database.url, folder: MIGRATIONS_FOLDER })
  })
  afterEach(async () => {
    await owner.end()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  const followUps = () =>
    owner.query(
      `select payout_id as id, created_at as "createdAt", next_check_at as "nextCheckAt", checks, lease_token as token
         from payout_follow_ups order by 1`,
    )
  const createdAt = new Date('2026-11-02T09:00:00Z')
  const open = { id: OPEN, createdAt, nextCheckAt: new Date('2026-11-02T10:00:00Z'), checks: 3, token: null }
  const held = { id: HELD, createdAt, nextCheckAt: new Date('2026-11-02T10:00:30Z'), checks: 0, token: HOLDER }

  it('takes over what was followed and who had it, and nothing that was at rest', async () => {
    expect(await followUps()).toEqual([open, held])
  })

  it('goes on beside programs of the release before: what they ask for and finish is followed, or no more', async () => {
    await owner.query(payout(LATE!, HOLDING))
    expect(await followUps()).toEqual([open, held, { ...held, id: LATE }])
    await owner.query(
      `update payouts set lease_token = null, lease_until = null, next_check_at = null where id = any($1)`,
      [[HELD, LATE]],
    )
    expect(await followUps()).toEqual([open])
  })

  it('takes the lease from such a program when another has taken it over, or has ended it', async () => {
    await owner.query(payout(LATE!, HOLDING))
    const tx = { query: (sql: SqlStatement, values?: readonly unknown[]) => owner.query(sql.text, values) } as Tx
    const now = new Date('2026-11-02T10:01:00Z')
    const due = [{ partnerId: PARTNER, id: HELD! }]
    const claim = { due, now, leaseToken: DONE!, leaseUntil: new Date('2026-11-02T10:02:00Z') }
    expect(await claimDuePayouts(tx, 'live', claim)).toMatchObject([{ id: HELD }])
    await owner.query('delete from payout_follow_ups where payout_id = $1', [LATE])
    expect(await owner.query('select id from payouts where lease_token is not null')).toEqual([])
    expect(await followUps()).toEqual([open, { ...held, token: DONE }])
  })
})
