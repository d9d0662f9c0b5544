// Rules about the schema as a whole, asked of the catalogue: a new table cannot forget them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestDatabase, cloneDatabase } from '../support/database.ts'
import { type Owner, ownerOf } from './owner.ts'

let database: TestDatabase
let owner: Owner
beforeAll(async () => {
  database = await cloneDatabase()
  owner = await ownerOf(database.url)
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

const TABLES = `select c.oid, c.relname as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`
const HAS_PARTNER = `exists (select 1 from pg_attribute a
  where a.attrelid = t.oid and a.attname = 'partner_id' and not a.attisdropped)`

describe('every table', () => {
  it('that belongs to a partner has the partner first in its primary key', async () => {
    const rows = await owner.query<{ name: string; first: string | null }>(
      `select t.name, (
         select a.attname from pg_constraint k
           join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
          where k.conrelid = t.oid and k.contype = 'p') as first
         from (${TABLES}) t where ${HAS_PARTNER} order by 1`,
    )
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['activity', 'api_keys', 'ledger_accounts', 'ledger_entries', 'payouts', 'wallets']),
    )
    expect(rows.filter(({ first }) => first !== 'partner_id')).toEqual([])
  })

  it('either belongs to a partner or is one of the few that cannot', async () => {
    const rows = await owner.query<{ name: string }>(
      `select t.name from (${TABLES}) t where not ${HAS_PARTNER} order by 1`,
    )
    expect(rows.map(({ name }) => name)).toEqual([
      'alarms',
      'allowances',
      'bank_events',
      'bank_feeds',
      'bank_rows_waiting',
      'bank_webhooks',
      'deposits_left_out',
      'excess_movements',
      'installation',
      'invoice_numbers',
      'job_rounds',
      'known_browsers',
      'mails',
      'migrations',
      'partners',
      'rails',
      'rates',
      'readiness',
      'reconciliations',
      'resealing',
      'secret_keys',
      'sign_in_codes',
      'signing_keys',
      'unnamed_proxies',
    ])
  })

  it('that belongs to a partner is unique within it, except for what is looked up without one', async () => {
    const rows = await owner.query<{ name: string }>(
      `select i.indexrelid::regclass::text as name
         from (${TABLES}) t join pg_index i on i.indrelid = t.oid
        where i.indisunique and ${HAS_PARTNER} and not exists (
          select 1 from pg_attribute a
           where a.attrelid = t.oid and a.attname = 'partner_id' and a.attnum = any(i.indkey))
        order by 1`,
    )
    // Of these tables there are few rows per business, however much it pays: they are shared where the rest is distributed.
    expect(rows.map(({ name }) => name)).toEqual([
      'api_keys_key_hash_key',
      'deposits_once',
      'invoices_number_key',
      'sessions_token_hash_key',
      'wallets_customer',
    ])
  })

  it('has a primary key', async () => {
    const rows = await owner.query(
      `select t.name from (${TABLES}) t
        where not exists (select 1 from pg_constraint k where k.conrelid = t.oid and k.contype = 'p')`,
    )
    expect(rows).toEqual([])
  })

  it('points at another partner’s rows through no foreign key: the partner is part of each', async () => {
    const rows = await owner.query<{ name: string; columns: string[]; target: string }>(
      `select k.conrelid::regclass::text as name, k.confrelid::regclass::text as target,
              array(select a.attname::text from unnest(k.conkey) with ordinality as c (number, place)
                      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = c.number order by place) as columns
         from pg_constraint k where k.contype = 'f' and k.connamespace = 'public'::regnamespace`,
    )
    expect(rows.length).toBeGreaterThan(5)
    // Which rails there are is nobody's.
    expect(rows.filter(({ columns, target }) => columns[0] !== 'partner_id' && target !== 'rails')).toEqual([])
  })
})

describe('every column', () => {
  it('that holds a moment knows its time zone', async () => {
    const rows = await owner.query(
      `select table_name, column_name from information_schema.columns
        where table_schema = 'public' and data_type = 'timestamp without time zone'`,
    )
    expect(rows).toEqual([])
  })

  it('that holds money is a whole number', async () => {
    const rows = await owner.query<{ name: string; data_type: string }>(
      `select table_name || '.' || column_name as name, data_type from information_schema.columns
        where table_schema = 'public' and (column_name ~ '_(pence|micro)$' or column_name in ('balance', 'amount'))`,
    )
    expect(rows.length).toBeGreaterThan(15)
    expect(rows.filter(({ data_type }) => data_type !== 'bigint')).toEqual([])
  })

  it('is of no kind that rounds', async () => {
    const rows = await owner.query(
      `select table_name, column_name from information_schema.columns
        where table_schema = 'public' and data_type in ('real', 'double precision', 'money')`,
    )
    expect(rows).toEqual([])
  })
})
