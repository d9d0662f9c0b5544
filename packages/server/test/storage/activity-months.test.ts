// Activity is one table for each month: nothing is lost on the way there, an insert never fails, what is older than its
// term goes, and nobody can make that term short.
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'

import { forgetOldActivity } from '../../src/domain/activity/forget-old-activity.ts'
import { MIGRATIONS_FOLDER } from '../../src/package-root.ts'
import { type ActivityCriteria, findActivity, insertActivity, listActivity } from '../../src/storage/activity.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { type Database, statement } from '../../src/storage/sql.ts'
import { scansOf } from './explain.ts'
import { type Owner, PATIENT, emptyDatabase, ownerOf } from './owner.ts'

const PARTNER = '01a0f67a-3800-70ed-9995-31985d5d9dc9'
const FAR = '2107-03-04T05:06:07Z'

let database: Awaited<ReturnType<typeof emptyDatabase>>
let owner: Owner
let service: Database
let serviceUrl: URL
let before: unknown[]
beforeAll(async () => {
  database = await emptyDatabase()
  owner = await ownerOf(database.url)
  serviceUrl = new URL(inject('serviceUrl'))
  serviceUrl.pathname = new URL(database.url).pathname
  const folder = mkdtempSync(join(tmpdir(), 'kestrel-migrations-'))
  const files = readdirSync(MIGRATIONS_FOLDER).toSorted()
  const older = files.slice(
    0,
    files.findIndex((name) => name.endsWith('_activity_by_month.sql')),
  )
  for (const name of older) copyFileSync(join(MIGRATIONS_FOLDER, name), join(folder, name))
  await migrate({ url: database.url, serviceUrl: serviceUrl.href, folder })
  await owner.query(
    `insert into partners (id, slug, name, created_at) values ('${PARTNER}', 'acme', 'Acme', now()), (gen_random_uuid(), 'b2', 'B', now())`,
  )
  await owner.query(
    `insert into activity (partner_id, at, id, action, status, by, method)
     select p.id, moment, gen_random_uuid(), 'payout.create', case when n % 10 = 0 then 422 else 201 end, 'kp_x', 'POST'
       from partners p, generate_series(1, 500) n, lateral (select now() - n * interval '3 days' as moment) m
     union all select '${PARTNER}', '${FAR}', gen_random_uuid(), 'account.read', 200, 'kp_x', 'GET'`,
  )
  before = await everything()
  await migrate({ url: database.url, serviceUrl: serviceUrl.href, folder: MIGRATIONS_FOLDER })
  rmSync(folder, { recursive: true, force: true })
  service = openDatabase({
    url: serviceUrl.href,
    applicationName: 'service',
    largestPool: 4,
    onConnectionError: () => undefined,
  })
})
afterAll(async () => {
  await service.close()
  await owner.end()
  await database.drop()
})

/** In the columns that there were. */
const everything = () =>
  owner.query(
    `select partner_id, at, id, environment, action, status, by, detail, key_id, method, path, duration_ms, ip
       from activity order by partner_id, at, id`,
  )
const keep = (months: number | null) => forgetOldActivity({ db: service }, months)
const parts = async () =>
  (
    await owner.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'activity'::regclass order by 1`,
    )
  ).map(({ name }) => name)
/** The name of the part for the month that is so many after this one. */
const monthName = (from: number) => {
  const now = new Date()
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + from))
  return `activity_${first.toISOString().slice(0, 7).replace('-', '_')}`
}
const partOf = async (id: string) =>
  (await owner.query<{ name: string }>(`select tableoid::regclass::text as name from activity where id = $1`, [id]))[0]
    ?.name
async function add(at: Date): Promise<string> {
  const id = crypto.randomUUID()
  const entry = { id, at, environment: null, action: 'key.create', status: 201, by: 'x', detail: null, keyId: null }
  await service.inTransaction(async (tx) => insertActivity(tx, [{ partnerId: PARTNER, ...entry, request: null }]))
  return id
}
const inMonths = (count: number) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count, 15))
}

describe('activity by month', () => {
  it('has every entry from before, and the months to come are there', async () => {
    expect(before).toHaveLength(1_001)
    expect(await everything()).toEqual(before)
    expect(await parts()).toEqual([monthName(1), monthName(2), monthName(3), 'activity_default', 'activity_earlier'])
    const places = await owner.query(
      'select tableoid::regclass::text as part, count(*)::int from activity group by 1 order by 1',
    )
    expect(places).toEqual([
      { part: 'activity_default', count: 1 },
      { part: 'activity_earlier', count: 1_000 },
    ])
  })

  it('takes an entry of any moment, and each goes where it belongs', async () => {
    expect(await partOf(await add(new Date()))).toBe('activity_earlier')
    expect(await partOf(await add(new Date(0)))).toBe('activity_earlier')
    expect(await partOf(await add(inMonths(2)))).toBe(monthName(2))
    expect(await partOf(await add(new Date('2150-01-01')))).toBe('activity_default')
  })

  it('is read by its indexes in every part, so many entries as are asked for and no more', async () => {
    await owner.query('analyze activity')
    const ask = async (criteria: Partial<ActivityCriteria>) =>
      scansOf(owner, (db) => listActivity(db, PARTNER, { ...ALL, ...criteria, before: null, limit: 5 }))
    for (const criteria of [{}, { statusClass: '4xx' as const }, { to: new Date() }]) {
      const scans = await ask(criteria)
      const earlier = scans.filter(({ 'Index Name': name }) => name?.startsWith('activity_earlier'))
      expect(earlier).toHaveLength(1)
      expect(earlier[0]!['Actual Rows']).toBeLessThanOrEqual(5)
    }
    const past = await ask({ from: new Date(0), to: new Date(Date.now() - 1_000) })
    expect(past.map(({ 'Node Type': type }) => type)).not.toContain('Seq Scan')
    const [entry] = await owner.query<{ id: string }>(`select id from activity where partner_id = $1 limit 1`, [
      PARTNER,
    ])
    const found = await scansOf(owner, (db) => findActivity(db, PARTNER, entry!.id))
    expect(found.map(({ 'Index Name': name }) => name)).toContain('activity_earlier_by_id')
  })

  it('makes the months to come when they are missing, and moves into them what waited for them', async () => {
    await owner.query(`drop table ${monthName(2)}, ${monthName(3)}`)
    const waiting = await add(inMonths(2))
    expect(await partOf(waiting)).toBe('activity_default')
    // Workers at the same moment: each month is made once, and none waits for another in a circle.
    const many = Array.from({ length: 12 }, (_, index) => keep(index % 3 === 0 ? null : 24))
    expect(await Promise.all(many)).toEqual(many.map(() => []))
    expect(await partOf(waiting)).toBe(monthName(2))
    expect(await parts()).toEqual([monthName(1), monthName(2), monthName(3), 'activity_default', 'activity_earlier'])
    for (const part of await parts()) {
      expect((await owner.refusal(`truncate ${part}`)).message).toMatch(/is append-only: truncate is not allowed/)
    }
    expect((await owner.refusal(`delete from activity where id = '${waiting}'`)).message).toMatch(/is append-only/)
    expect((await owner.refusal(`update activity_default set by = 'y'`)).message).toMatch(/is append-only/)
  })

  it('stands in nobody’s way who changes a partner and says so, in one transaction, at the same moment', async () => {
    await owner.query(`drop table ${monthName(3)}`)
    let kept: Promise<readonly string[]> | undefined
    await service.inTransaction(async (tx) => {
      await tx.query(statement('', `update partners set name = 'Acme again' where id = $1`), [PARTNER])
      kept = keep(24)
      await vi.waitFor(
        async () =>
          expect(
            await owner.query(`select 1 from pg_locks where not granted and database = (
              select oid from pg_database where datname = current_database())`),
          ).toHaveLength(1),
        PATIENT,
      )
      const at = new Date()
      const entry = { id: crypto.randomUUID(), at, environment: null, action: 'partner.update', status: null }
      insertActivity(tx, [{ partnerId: PARTNER, ...entry, by: 'operator', detail: null, keyId: null, request: null }])
    })
    expect(await kept).toEqual([])
    expect(await parts()).toContain(monthName(3))
  })

  it('drops the months that are wholly older than the term, and nothing else', async () => {
    // As if the service had run by months for two years.
    await owner.query('drop table activity_earlier')
    const ages = [-30, -25, -24, -23, -4, -3, -2, 0]
    const ids = new Map<number, string>()
    for (const age of ages) ids.set(age, await add(inMonths(age)))
    // Rows with impossible moments do not keep the months from being dropped.
    for (const odd of ['-infinity', '2026-11-15 BC', '1999-12-31', 'infinity']) {
      await owner.query(
        `insert into activity (partner_id, at, id, action, by) values ($1, $2, gen_random_uuid(), 'x', 'x')`,
        [PARTNER, odd],
      )
    }
    const left = async () => {
      const kept: number[] = []
      for (const age of ages) if ((await partOf(ids.get(age)!)) !== undefined) kept.push(age)
      return kept
    }
    expect(await keep(null)).toEqual([])
    expect(await left()).toEqual(ages)
    expect(await keep(24)).toEqual([monthName(-30), monthName(-25)])
    expect(await left()).toEqual([-24, -23, -4, -3, -2, 0])
    expect(await keep(24)).toEqual([])
    expect(await keep(3)).toEqual([monthName(-24), monthName(-23), monthName(-4)])
    expect(await left()).toEqual([-3, -2, 0])
    expect(await owner.query(`select 1 from activity where at = '${FAR}'`)).toHaveLength(1)
  })
})

describe('the service', () => {
  const asService = (text: string) => service.inOneTrip([[statement('', text), []]])

  it.each([2, 1, 0, -1, -2_147_483_648])('cannot shorten the term to %d months', async (months) => {
    const rows = await everything()
    await expect(keep(months)).rejects.toThrow(`activity is kept for at least 3 months, not ${months}`)
    expect(await everything()).toEqual(rows)
  })

  it('cannot move time, or act on a part by itself', async () => {
    const rows = await everything()
    await asService(
      `select set_config('timezone', 'Pacific/Kiritimati', false), set_config('datestyle', 'German', false)`,
    )
    expect(await keep(3)).toEqual([])
    expect(await everything()).toEqual(rows)
    for (const text of [
      `select make_activity_month(now() + interval '9 months')`,
      `drop table ${monthName(0)}`,
      `alter table activity detach partition ${monthName(0)}`,
      `select 1 from ${monthName(0)}`,
      `delete from ${monthName(0)}`,
      `insert into activity_default select * from activity`,
      'truncate activity_default',
    ])
      await expect(asService(text)).rejects.toMatchObject({ code: '42501' })
  })

  it('alone may call for the months to be kept', async () => {
    const [row] = await owner.query(
      `select p.prosecdef, p.proconfig, has_function_privilege($1, p.oid, 'execute') as service,
              exists (select 1 from aclexplode(p.proacl) where grantee = 0) as everybody
         from pg_proc p where proname = 'keep_activity'`,
      [serviceUrl.username],
    )
    expect(row).toMatchObject({ prosecdef: true, service: true, everybody: false })
    expect(row!['proconfig']).toContain('search_path=public, pg_temp')
  })
})

const ALL: ActivityCriteria = {
  action: null,
  by: null,
  statusClass: null,
  via: null,
  isChangesOnly: false,
  isWithoutLogReads: false,
  environment: null,
  from: null,
  to: null,
  search: null,
}
