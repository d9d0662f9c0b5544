// Migrations of a database that has a history and is in use: nobody waits for them for longer than a moment, and one that
// was killed in any of its steps is done again.
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { MIGRATIONS_FOLDER } from '../../src/package-root.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { ROLLUP_CHECKS } from '../../src/storage/rollup-checks.ts'
import { RELEASED as LAST_RELEASE } from '../process/released.ts'
import { type Owner, emptyDatabase, ownerOf } from './owner.ts'

const FILES = readdirSync(MIGRATIONS_FOLDER).toSorted()
/** The last of the release before. */
const RELEASED = LAST_RELEASE.lastMigration
const PARTNER = '01a0f67a-3800-70ed-9995-31985d5d9dc9'
const sqlOf = (name: string) => readFileSync(join(MIGRATIONS_FOLDER, name), 'utf8')

/** As the release before writes them. */
const PAYOUT = (key: string, status: string) =>
  `insert into payouts (partner_id, environment, id, idempotency_key, fingerprint, created_via, amount_pence, country,
     recipient_name, account_last4, recipient_sealed, recipient_fingerprint, gbp_per_usd, fee_pence,
     fee_in_transfer_pence, fee_on_invoice_pence, wallet_sends_micro, status, created_at, updated_at, surfaced_at, rail,
     send_state)
   select '${PARTNER}', 'live', gen_random_uuid(), ${key}, sha256('x'), 'api', 2500, 'GB', 'Amara Okafor', '5678', 'sealed',
          sha256('y'), 0.79, 124, 33, 91, 32070000, '${status}', now(), now(), now(), 'provider_production', 'accepted'`
const CREDIT = `insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
   select '${PARTNER}', 'live', gen_random_uuid(), 'credit', 'external', 'available', 1000000, now()`
const ASKED = `insert into activity (partner_id, at, id, action, status, by)
   select '${PARTNER}', now(), gen_random_uuid(), 'payout.create', 201, 'kp_x'`

const HISTORY = [
  `insert into partners (id, slug, name, verification_status, verified_at, created_at)
   values ('${PARTNER}', 'acme', 'Acme', 'approved', now(), now())`,
  `insert into wallets (partner_id, environment, rail, created_at) values ('${PARTNER}', 'live', 'provider_production', now())`,
  `insert into ledger_accounts (partner_id, environment, account)
   select '${PARTNER}', 'live', unnest(enum_range(null::ledger_account))`,
  `${PAYOUT(`'order-number-' || n`, 'processing')} from generate_series(1, 300) n`,
  `update payouts set provider_state = 'payment_submitted', provider_ref = 'handed over', next_check_at = now()
    where idempotency_key = 'order-number-1'`,
  `${CREDIT} from generate_series(1, 300)`,
  `${ASKED} from generate_series(1, 300)`,
  // A clock was wrong once.
  `insert into activity (partner_id, at, id, action, status, by)
   values ('${PARTNER}', '2150-01-01', gen_random_uuid(), 'account.read', 200, 'kp_x')`,
  `insert into bank_events (environment, event_id, category, object_ref, received_at, handled_at)
   select 'live', 'event ' || n, 'transfer', 'x', now(), now() from generate_series(1, 100) n`,
]

/** All that a migration makes, and whether it is whole. */
const shape = (of: Owner) =>
  of.query(
    `select 'constraint' as what, conrelid::regclass::text as on_table, conname as name, pg_get_constraintdef(oid) as def
       from pg_constraint where connamespace = 'public'::regnamespace
     union all select case when indisvalid then 'index' else 'broken index' end, indrelid::regclass::text,
                      indexrelid::regclass::text, pg_get_indexdef(indexrelid)
       from pg_index join pg_class c on c.oid = indexrelid where c.relnamespace = 'public'::regnamespace
     union all select 'column', attrelid::regclass::text, attname,
                      format_type(atttypid, atttypmod) || ' ' || attnotnull
       from pg_attribute join pg_class c on c.oid = attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and attnum > 0 and not attisdropped
     union all select 'trigger', tgrelid::regclass::text, tgname, tgenabled::text from pg_trigger where not tgisinternal
     order by 1, 2, 3, 4`,
  )

describe('the migrations since the last release', () => {
  let database: Awaited<ReturnType<typeof emptyDatabase>>
  let owner: Owner
  let folder: string
  beforeEach(async () => {
    database = await emptyDatabase()
    owner = await ownerOf(database.url)
    folder = mkdtempSync(join(tmpdir(), 'kestrel-migrations-'))
    for (const name of FILES.filter((each) => each.slice(0, 4) <= RELEASED)) take(name)
    await migrate({ url: database.url, folder })
    for (const statement of HISTORY) await owner.query(statement)
  })
  afterEach(async () => {
    await owner.end()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  const take = (name: string) => cpSync(join(MIGRATIONS_FOLDER, name), join(folder, name))

  const counted = async () =>
    (
      await owner.query<Record<string, number>>(
        `select (select count(*)::int from payouts) as payouts, (select count(*)::int from ledger_entries) as entries,
              (select count(*)::int from activity) as asked,
              (select (balance / 1000000)::int from ledger_accounts where account = 'available') as available`,
      )
    )[0]!

  /** Sums that are kept and are not what they count. */
  const wrongSums = async () => {
    const wrong: unknown[] = []
    for (const text of Object.values(ROLLUP_CHECKS)) wrong.push(...(await owner.query(text)))
    const [{ days }] = (await owner.query('select sum(payouts)::int as days from payout_days')) as [{ days: number }]
    return days >= 300 ? wrong : [...wrong, 'nothing is counted']
  }

  it('go on beside programs of that release, which are refused nothing and lose nothing', async () => {
    const work = { isDone: false, rounds: 0 }
    const write = async () => {
      const writer = await ownerOf(database.url)
      // Waiting in line for a table counts as refused.
      await writer.query(`set lock_timeout = '10s'`)
      for (; !work.isDone; work.rounds++) {
        await writer.query(PAYOUT(`'new-' || gen_random_uuid()`, 'processing'))
        await writer.query(`update payouts set status = 'completed', completed_at = now(), updated_at = now()
          where id = (select id from payouts where status = 'processing' limit 1)`)
        await writer.query(CREDIT)
        await writer.query(ASKED)
      }
      await writer.end()
    }
    const writing = write()
    const before = await counted()
    await migrate({ url: database.url, folder: MIGRATIONS_FOLDER })
    work.isDone = true
    await writing
    const { rounds } = work
    expect(rounds).toBeGreaterThan(5)
    const after = await counted()
    expect(after['payouts']! - 300).toBe(rounds)
    expect(after['available']! - 300).toBe(rounds)
    expect(after['asked']! - 301).toBe(rounds)
    expect(before['payouts']).toBeGreaterThanOrEqual(300)
    expect(await wrongSums()).toEqual([])
  })

  it('are done again after each of their steps in which they can be killed, and come out the same', async () => {
    // A file with the first steps of another, after which the connection is cut: what a crash leaves behind.
    const CUT = '\n-- step\nselect pg_terminate_backend(pg_backend_pid());\n'
    let killed = 0
    for (const name of FILES.filter((each) => each.slice(0, 4) > RELEASED)) {
      const steps = sqlOf(name).split(/^(?=-- step\b)/m)
      for (let done = 1; steps.length > 1 && done <= steps.length - 1; done++) {
        writeFileSync(join(folder, name), steps.slice(0, done).join('') + CUT)
        await expect(migrate({ url: database.url, folder })).rejects.toThrow(`Migration ${name} failed`)
        killed += 1
      }
      take(name)
      await migrate({ url: database.url, folder })
    }
    expect(killed).toBeGreaterThan(10)
    expect(await counted()).toEqual({ payouts: 300, entries: 300, asked: 301, available: 300 })
    const handedOver = 'select idempotency_key as key from payouts where handed_over_at is not null'
    expect(await owner.query(handedOver)).toEqual([{ key: 'order-number-1' }])
    expect(await wrongSums()).toEqual([])
    const fresh = await emptyDatabase()
    const other = await ownerOf(fresh.url)
    await migrate({ url: fresh.url, folder: MIGRATIONS_FOLDER })
    expect(await shape(owner)).toEqual(await shape(other))
    const unfinished = (await shape(owner)).filter((each) => /broken|not valid/i.test(JSON.stringify(each)))
    expect(unfinished.map(({ name }) => name)).toEqual([])
    await other.end()
    await fresh.drop()
  })

  it('build anew an index that was left half-built', async () => {
    for (const name of FILES.filter((each) => each < '0026')) take(name)
    await migrate({ url: database.url, folder })
    await owner.query('create index ledger_entries_of_top_ups on ledger_entries (at)')
    await owner.query(
      `update pg_index set indisvalid = false, indisready = false where indexrelid = 'ledger_entries_of_top_ups'::regclass`,
    )
    await migrate({ url: database.url, folder: MIGRATIONS_FOLDER })
    const [index] = await owner.query<{ whole: boolean; def: string }>(
      `select indisvalid and indisready as whole, pg_get_indexdef(indexrelid) as def from pg_index
        where indexrelid = 'ledger_entries_of_top_ups'::regclass`,
    )
    expect(index).toMatchObject({ whole: true, def: expect.stringContaining('WHERE') as unknown })
  })
})

const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length

describe('a table that grows with every payout', () => {
  const GROWING = /\b(payouts|ledger_entries|activity|charges|invoice_lines|bank_events|deposits|payout_recipients)\b/

  it.each(FILES.filter((name) => name.slice(0, 4) > RELEASED))('is not held by %s while all of it is read', (name) => {
    const made = new Set([...sqlOf(name).matchAll(/create table (?:if not exists )?(\w+)/g)].map(([, table]) => table))
    const statements = sqlOf(name)
      .replaceAll(/\$\$.*?\$\$/gs, '')
      .replaceAll(/--.*$/gm, '')
      .split(';')
    for (const statement of statements) {
      const [, altered] = /alter table (\w+)/.exec(statement) ?? []
      const [, indexed] = /create (?:unique )?index (?!concurrently).*?\bon (\w+)/s.exec(statement) ?? []
      const isOld = (table: string | undefined): boolean =>
        table !== undefined && GROWING.test(table) && !made.has(table)
      // Built beside the work; a rule of a column is checked at once, and so is one that does not say otherwise.
      const wrong =
        isOld(indexed) || (isOld(altered) && count(statement, /\bcheck \(/g) !== count(statement, /\bnot valid\b/g))
      expect(wrong ? statement : null).toBeNull()
    }
  })
})

describe('a step', () => {
  const BUSY =
    /^(payouts|payout_recipients|ledger_entries|ledger_accounts|wallets|partners|api_keys|activity|charges|deposits|invoice_lines)$/
  const CHANGED = /alter table (\w+)(?!\s+validate)\b|\block table (\w+)|\btrigger \w+\s[^;]*?\bon (\w+)/g

  // Who writes holds one table and asks for the next; a step that does so in another order and a writer wait for each other.
  it.each(FILES.filter((name) => name.slice(0, 4) > RELEASED))(
    'of %s keeps others out of one table at most',
    (name) => {
      for (const step of sqlOf(name).split(/^(?=-- step\b)/m)) {
        const sql = step.replaceAll(/\$\$.*?\$\$/gs, '').replaceAll(/--.*$/gm, '')
        const changed = [...sql.matchAll(CHANGED)].map(([, ...tables]) => tables.find((table) => table !== undefined)!)
        const busy = new Set(changed.filter((table) => BUSY.test(table)))
        expect([...busy].slice(1)).toEqual([])
      }
    },
  )
})
