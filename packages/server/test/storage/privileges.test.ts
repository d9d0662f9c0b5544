// What the service may do with each table: asked of the catalogue, so that a new table cannot forget it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { MIGRATIONS_FOLDER } from '../../src/package-root.ts'
import { readDatabaseFacts } from '../../src/storage/database-facts.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { APPEND_ONLY, privilegesOn } from '../../src/storage/privileges.ts'
import { type Database, statement } from '../../src/storage/sql.ts'
import { type TestDatabase, cloneDatabase } from '../support/database.ts'
import { type Owner, emptyDatabase, ownerOf } from './owner.ts'

let database: TestDatabase
let owner: Owner
let service: Database
beforeAll(async () => {
  database = await cloneDatabase()
  owner = await ownerOf(database.url)
  service = openDatabase({
    url: database.url,
    applicationName: 'service',
    largestPool: 1,
    onConnectionError: () => undefined,
  })
})
afterAll(async () => {
  await service.close()
  await owner.end()
  await database.drop()
})

const asService = (text: string) => service.inOneTrip([[statement('', text), []]])
const role = () => new URL(database.url).username

describe('the service', () => {
  it('is no superuser, owns nothing, and can make nothing', async () => {
    const [who] = await owner.query(
      `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = $1`,
      [role()],
    )
    expect(Object.values(who!)).toEqual([false, false, false, false, false])
    expect(await owner.query('select relname from pg_class where relowner = $1::regrole', [role()])).toEqual([])
    expect(await owner.query('select proname from pg_proc where proowner = $1::regrole', [role()])).toEqual([])
    for (const text of [
      'create table mine ()',
      'alter table payouts add column mine text',
      'drop table payouts',
      'create index on payouts (amount_pence)',
      'alter table ledger_entries disable trigger user',
      `create function mine() returns int language sql as 'select 1'`,
      'create role mine',
      `copy (select 1) to program 'true'`,
      `select pg_read_file('PG_VERSION')`,
      `insert into migrations (name) values ('9999_mine.sql')`,
    ])
      await expect(asService(text)).rejects.toMatchObject({ code: '42501' })
  })

  it('cannot change or remove what has happened, and cannot write a balance', async () => {
    for (const table of APPEND_ONLY) {
      await expect(asService(`delete from ${table}`)).rejects.toMatchObject({ code: '42501' })
      const [first] = await owner.query<{ name: string }>(
        `select attname as name from pg_attribute where attrelid = $1::regclass and attnum = 1`,
        [table],
      )
      await expect(asService(`update ${table} set ${first!.name} = null`)).rejects.toMatchObject({
        code: '42501',
      })
      await expect(asService(`truncate ${table}`)).rejects.toMatchObject({ code: '42501' })
    }
    for (const text of [
      'update ledger_accounts set balance = 1',
      'delete from ledger_accounts',
      'truncate ledger_accounts',
      'delete from partners',
      'delete from invoices',
      'truncate payouts cascade',
    ])
      await expect(asService(text)).rejects.toMatchObject({ code: '42501' })
  })
})

describe('a database of the operator’s own, with what PostgreSQL gives to everybody,', () => {
  // A clone has none of the template’s own privileges on the database: PUBLIC may make temporary tables in it.
  beforeAll(async () => {
    await owner.query('grant create on schema public to public')
    await owner.query('grant execute on all functions in schema public to public')
    await migrate({ url: database.ownerUrl, serviceUrl: database.url, folder: MIGRATIONS_FOLDER })
  })

  it('lets the service make no table of its own, nor one that hides ours', async () => {
    for (const text of ['create temporary table payouts (id int)', 'create table mine ()', 'create schema mine'])
      await expect(asService(text)).rejects.toMatchObject({ code: '42501' })
  })

  it('lets nobody but the owner use the function that writes balances, as a trigger or otherwise', async () => {
    const balances = () => owner.query('select * from ledger_accounts order by 1, 2, 3')
    const before = await balances()
    // An attack: a table that looks like the ledger, whose entries nobody checks.
    await owner.query('create schema lookalike')
    await owner.query(`create table lookalike.entries (like ledger_entries including defaults)`)
    await owner.query(`grant usage, create on schema lookalike to ${role()}`)
    await owner.query(`alter table lookalike.entries owner to ${role()}`)
    await expect(
      asService(
        `create trigger forged after insert on lookalike.entries referencing new table as new_entries
           for each statement execute function post_ledger_entries()`,
      ),
    ).rejects.toMatchObject({ code: '42501' })
    await owner.query('drop schema lookalike cascade')
    expect(await balances()).toEqual(before)
  })

  it('lets the service call exactly the functions that are named here', async () => {
    const may = await owner.query<{ name: string }>(
      `select p.proname as name from pg_proc p
        where p.pronamespace = 'public'::regnamespace and has_function_privilege($1, p.oid, 'execute') order by 1`,
      [role()],
    )
    expect(may.map(({ name }) => name)).toEqual([
      'activity_entry_hash',
      'changes_as_hashed',
      'entry_fits_its_kind',
      'expect_unchanged',
      'failure_code_of',
      'keep_activity',
      'look_at_new_tables',
      'newest_key',
      'payout_has_stage',
      'payout_is_sound',
      'payout_may_move',
    ])
  })

  it('has functions that act for the owner in our tables alone', async () => {
    const loose = await owner.query<{ name: string; settings: string[] | null }>(
      `select proname as name, proconfig as settings from pg_proc
        where pronamespace = 'public'::regnamespace and prosecdef order by 1`,
    )
    expect(loose.length).toBeGreaterThan(1)
    const isBound = ({ settings }: { settings: string[] | null }) => settings?.includes('search_path=public, pg_temp')
    expect(loose.filter((each) => isBound(each) !== true)).toEqual([])
  })

  /** In whichever order they were given; a list of the owner alone says as much as none. */
  const itemsOf = (list: string | null) =>
    (list ?? '{}')
      .slice(1, -1)
      .split(',')
      .filter((item) => item !== '' && !item.startsWith(`${new URL(database.ownerUrl).username}=`))
      .toSorted()
  const again = () => migrate({ url: database.ownerUrl, serviceUrl: database.url, folder: MIGRATIONS_FOLDER })
  const lists = () =>
    owner.query(
      `select 'table' as kind, relname::text as name, relacl::text as list, xmin::text as version from pg_class where relnamespace = 'public'::regnamespace
       union all select 'column', attrelid::regclass || '.' || attname, attacl::text, xmin::text from pg_attribute where attacl is not null
       union all select 'function', oid::regprocedure::text, proacl::text, xmin::text from pg_proc where pronamespace = 'public'::regnamespace
       union all select 'schema', nspname, nspacl::text, xmin::text from pg_namespace where nspname = 'public'
       union all select 'database', datname, datacl::text, xmin::text from pg_database where datname = current_database()
       order by 1, 2, 3`,
    )

  it('is not written to where all is as it should be', async () => {
    const before = await lists()
    await again()
    expect(await lists()).toEqual(before)
  })

  it.each([
    'grant update on ledger_entries to SERVICE',
    'grant update (amount_pence) on payouts to SERVICE',
    'grant update (balance) on ledger_accounts to SERVICE',
    'grant select on payouts to SERVICE with grant option',
    'grant select on payouts to public',
    'grant select on (select inhrelid::regclass from pg_inherits limit 1) to SERVICE',
    'revoke insert on payouts from SERVICE',
    'revoke update (partner_id) on ledger_accounts from SERVICE',
    'grant execute on function post_ledger_entries() to SERVICE',
    'grant execute on function post_ledger_entries() to public',
    'revoke execute on function newest_key from SERVICE',
    'grant create on schema public to SERVICE',
    'revoke usage on schema public from SERVICE',
    'grant temporary on database HERE to public',
  ])('is put right by the next migration after %s', async (change) => {
    const known = async () =>
      (await lists()).flatMap(({ kind, name, list }) =>
        itemsOf(list as string | null).map((item) => `${String(kind)} ${String(name)} ${item}`),
      )
    const before = await known()
    const [part] = await owner.query<{ name: string }>(
      'select inhrelid::regclass::text as name from pg_inherits limit 1',
    )
    const text = change.replace(/\(select inhrelid[^)]*\)/, part!.name).replaceAll('SERVICE', role())
    await owner.query(text.replace('HERE', new URL(database.url).pathname.slice(1)))
    expect(await known()).not.toEqual(before)
    await again()
    expect(await known()).toEqual(before)
  })

  it('is migrated by an owner of the tables who does not own the database, and doctor says what is left', async () => {
    const guest = `guest_${process.pid}`
    await owner.query(`create role ${guest} login password 'only-for-tests'`)
    const plain = await emptyDatabase()
    const inside = await ownerOf(plain.url)
    const asGuest = new URL(plain.url)
    Object.assign(asGuest, { username: guest, password: 'only-for-tests' })
    try {
      await inside.query(`grant create, usage on schema public to ${guest}`)
      const report = await migrate({ url: asGuest.href, serviceUrl: serviceOf(plain.url), folder: MIGRATIONS_FOLDER })
      expect(report.applied).toBeGreaterThan(30)
      const guests = openDatabase({
        url: serviceOf(plain.url),
        applicationName: 'guest',
        largestPool: 1,
        onConnectionError: () => undefined,
      })
      expect(await readDatabaseFacts({ db: guests })).toMatchObject({ mayChangeHistory: false, mayMakeTables: true })
      await guests.close()
      expect(await readDatabaseFacts({ db: service })).toMatchObject({ mayChangeHistory: false, mayMakeTables: false })
    } finally {
      await inside.end()
      await plain.drop()
      await owner.query(`drop role ${guest}`)
    }
  })

  const serviceOf = (url: string) => {
    const own = new URL(database.url)
    own.pathname = new URL(url).pathname
    return own.href
  }
})

describe('every table', () => {
  /** Where a privilege is missing on purpose, and why; all others may be read, written, changed and deleted from. */
  const NARROWER: Readonly<Record<string, { may: string; why: string }>> = {
    ledger_entries: { may: 'SELECT INSERT', why: 'the ledger is never rewritten' },
    activity: { may: 'SELECT INSERT', why: 'who did what is never rewritten' },
    charges: { may: 'SELECT INSERT', why: 'what was charged is corrected by another charge' },
    invoice_lines: { may: 'SELECT INSERT', why: 'an invoice that was cut stays as it is' },
    deposits: { may: 'SELECT INSERT', why: 'what arrived has arrived' },
    bank_exceptions: { may: 'SELECT INSERT', why: 'what was charged for is remembered' },
    undone_endings: { may: 'SELECT INSERT', why: 'what a partner was told is remembered' },
    excess_movements: { may: 'SELECT INSERT', why: 'what the operator moved it has moved' },
    reconciliations: { may: 'SELECT INSERT DELETE', why: 'old proofs are thinned, none is rewritten' },
    events: { may: 'SELECT INSERT DELETE', why: 'old ones are forgotten, none is rewritten' },
    request_bodies: { may: 'SELECT INSERT DELETE', why: 'old ones are forgotten, none is rewritten' },
    activity_links: { may: 'SELECT INSERT DELETE', why: 'old ones go with their entries, none is rewritten' },
    activity_waiting: { may: 'SELECT INSERT DELETE', why: 'what is linked goes, none is rewritten' },
    audit_heads: { may: 'SELECT INSERT', why: 'what was signed was signed' },
    signing_keys: { may: 'SELECT INSERT', why: 'what a key signed stays verifiable' },
    ledger_accounts: { may: 'SELECT INSERT', why: 'balances follow the entries; a row may be locked (one column)' },
    migrations: { may: 'SELECT', why: 'who migrates is the owner' },
    payout_days: { may: 'SELECT', why: 'sums follow the payouts' },
    wallet_days: { may: 'SELECT', why: 'sums follow the entries' },
    charge_months: { may: 'SELECT', why: 'sums follow the charges' },
    invoices: { may: 'SELECT INSERT UPDATE', why: 'numbers have no gaps' },
    invoice_numbers: { may: 'SELECT INSERT UPDATE', why: 'numbers have no gaps' },
    partners: { may: 'SELECT INSERT UPDATE', why: 'a partner is closed, never removed' },
    wallets: { may: 'SELECT INSERT UPDATE', why: 'a wallet stays with its ledger' },
    secret_keys: { may: 'SELECT INSERT UPDATE', why: 'a key that was used is remembered' },
    plans: { may: 'SELECT INSERT UPDATE', why: 'old prices are needed for old months' },
    operator_movements: { may: 'SELECT INSERT UPDATE', why: 'a reference that was used stays used' },
    installation: { may: 'SELECT INSERT UPDATE', why: 'the binding to its secrets is kept' },
    rails: { may: 'SELECT INSERT', why: 'a rail belongs to one environment for ever' },
  }

  it('gives the service exactly what is said here, and nothing that changes tables themselves', async () => {
    const rows = await owner.query<{ name: string; may: string }>(
      `select c.relname as name, (
         select coalesce(string_agg(p, ' ' order by at), '') from unnest(
           array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) with ordinality as u (p, at)
          where has_table_privilege($1, c.oid, p)) as may
         from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
      [role()],
    )
    expect(rows.length).toBeGreaterThan(25)
    expect(rows).toEqual(rows.map(({ name }) => ({ name, may: NARROWER[name]?.may ?? 'SELECT INSERT UPDATE DELETE' })))
    expect(Object.keys(NARROWER).filter((name) => !rows.some((row) => row.name === name))).toEqual([])
  })

  it('that is a part of another is reached through that one alone', async () => {
    const parts = await owner.query<{ name: string; may: boolean }>(
      `select c.relname as name, has_table_privilege($1, c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE') as may
         from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relispartition`,
      [role()],
    )
    expect(parts.length).toBeGreaterThan(3)
    expect(parts.filter(({ may }) => may)).toEqual([])
  })

  it('is changed on the owner’s behalf by the functions that are named here, and no others', async () => {
    const functions = await owner.query<{ name: string }>(
      `select p.proname as name from pg_proc p where p.pronamespace = 'public'::regnamespace
          and p.prorettype <> 'trigger'::regtype and p.prosecdef and has_function_privilege($1, p.oid, 'execute')`,
      [role()],
    )
    expect(functions).toEqual([{ name: 'keep_activity' }, { name: 'look_at_new_tables' }])
  })

  it('that the database keeps from being changed is one of those that the service may not change', async () => {
    const rows = await owner.query<{ name: string }>(
      `select distinct t.tgrelid::regclass::text as name from pg_trigger t
         join pg_proc p on p.oid = t.tgfoid
        where p.proname = 'refuse_change' and t.tgtype & 16 > 0 and not t.tgisinternal and t.tgparentid = 0`,
    )
    expect(rows.length).toBeGreaterThan(1)
    expect(rows.filter(({ name }) => privilegesOn(name).includes('update'))).toEqual([])
  })
})
