// No statement of the program reads all of a table that grows, nor all that a partner has in it, by any plan that PostgreSQL
// may make: not on a new database, and not after it has looked at its empty tables. Exceptions are listed with their reason.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import type { SqlStatement } from '../../src/storage/sql.ts'
import { type TestDatabase, cloneDatabase } from '../support/database.ts'
import { type Plan, indexesUsed, unboundedReads } from './bounded-plan.ts'
import { isAboutRows, makeEveryStatement } from './every-statement.ts'
import { type GrownIndex, growTables, makeTall } from './grown-tables.ts'
import { type Owner, ownerOf } from './owner.ts'

const made = vi.hoisted(() => new Map<string, string>())
vi.mock('../../src/storage/sql.ts', () => ({
  statement: (name: string, text: string): SqlStatement => {
    made.set(name === '' ? text : name, text)
    return { name, text }
  },
}))

/** A row per payout or request, or several, for ever. All others have a row per top-up, refund or person, or are kept for a term. */
const GROWING =
  /^(events|request_bodies|webhook_deliveries|webhook_attempts|payouts|payout_recipients|payout_transfers|payout_days|wallet_days|ledger_entries|charges|activity\w*)$/

let database: TestDatabase
let owner: Owner
beforeAll(async () => {
  database = await cloneDatabase()
  owner = await ownerOf(database.url)
  await asTheProgram()
  await makeEveryStatement()
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

/** As the program's own connections have it. */
async function asTheProgram(): Promise<void> {
  await owner.query('set enable_seqscan = off; set plan_cache_mode = force_generic_plan')
}

/** Statements that read much on purpose, and why that is right. */
const READS_MUCH: Readonly<Record<string, string>> = {
  sets_of_payouts_at_bank: 'the daily comparison with the bank is of everything',
  missing_invoices: 'once a month, for those who were charged in it',
  billing_counts: 'the audit of everything',
  activity_by_its_links: 'the audit of a log, which looks at all that waits to be linked',
  put_old_activity_among_waiting: 'once after an upgrade, beside all that waits to be linked',
  move_unsealed_to_waiting: 'once after an upgrade, beside all that waits to be linked',
  count_key_use: 'the operator asks how many rows need which key',
  move_payouts_to_key: 'after a change of keys, which every row goes through',
  move_marks_to_key: 'after a change of keys, which every row goes through',
}

/**
 * Lists and sums by a filter that no key answers: their caller gives them a place to stop at where there are very many payouts
 * (`findPlaceAfter`).
 */
const STOPS_AT_A_PLACE = /^select (status, count\(\*\)|payout\.\* from \(\(?select created_at, id from payouts)/

/** The plan that suits any values, as it is kept. Prepared, because PostgreSQL 15 explains no statement that has parameters. */
async function planOf(text: string): Promise<Plan> {
  const parameters = [...new Set(text.match(/\$\d+/g))]
  const numbered = text.replaceAll(/\$\d+/g, (parameter) => `$${parameters.indexOf(parameter) + 1}`)
  const values = parameters.length === 0 ? '' : `(${parameters.map(() => 'null').join(', ')})`
  await owner.query(`prepare asked as ${numbered}`)
  try {
    const [row] = await owner.query<{ 'QUERY PLAN': Plan[] }>(`explain (format json) execute asked${values}`)
    return row!['QUERY PLAN'][0]!
  } finally {
    await owner.query('deallocate asked')
  }
}

async function unbounded(isAsked = isAboutRows): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const [name, text] of made) {
    if (!isAboutRows(text) || !isAsked(text)) continue
    const reads = unboundedReads(await planOf(text), (table) => GROWING.test(table))
    if (reads.length > 0) found[name] = reads
  }
  return found
}

const unlisted = (found: Record<string, string[]>) =>
  Object.entries(found).filter(([name]) => !(name in READS_MUCH || STOPS_AT_A_PLACE.test(name)))

describe('every statement', () => {
  it('reads what it is asked for and no more, on a new database', async () => {
    expect(made.size).toBeGreaterThan(120)
    expect(unlisted(await unbounded())).toEqual([])
  })

  it('does so after PostgreSQL has looked at its empty tables, and no reason is listed for nothing', async () => {
    await owner.query('analyze')
    const found = await unbounded()
    expect(unlisted(found)).toEqual([])
    expect(Object.keys(READS_MUCH).filter((name) => !(name in found))).toEqual([])
  })

  // To PostgreSQL 16 and older a list of keys is a reason to read all that a partner has, while that seems little. This one is
  // newer, and `npm run versions` has others plan them too.
  it('looks up rows of a table that grows one by one, and not by a list', () => {
    const grows = (table: string) => GROWING.test(table) || table === 'payout_follow_ups'
    const about = (text: string) =>
      text.match(/(?:from|into|update|join) (\w+)/g)?.some((each) => grows(each.split(' ')[1]!))
    const byList = /(?<!item\.)\b(?:(?!partner)\w+_)?(?:id|position) = any\(/
    expect([...made].filter(([, text]) => about(text) && byList.test(text)).map(([name]) => name)).toEqual([])
  })

  it.each([
    'select count(*) from payouts where partner_id = $1 and environment = $2',
    'select sum(amount_pence) from payouts where partner_id = $1 and environment = $2 and status = $3',
    'select * from payouts where status = $1',
    'select * from payouts where partner_id = $1 and environment = $2 order by amount_pence limit 5',
    'select sum(amount) from ledger_entries where partner_id = $1',
  ])('that reads too much is caught: %s', async (text) => {
    expect(unboundedReads(await planOf(text), (table) => GROWING.test(table))).toHaveLength(1)
  })
})

/** Rows that come and go: the table is empty whenever everything is at rest, which is when PostgreSQL may look at it. */
describe('a follow-up', () => {
  const FILL = `insert into payout_follow_ups (partner_id, environment, payout_id, created_at, next_check_at)
    select '01a0f67a-3800-70ed-9995-31985d5d9dc9', 'sandbox', gen_random_uuid(), now() + n * interval '1 ms',
           now() + n * interval '1 ms' from generate_series(1, 20000) n`
  const FEW = FILL.replace('20000', '60')
  const EMPTY = 'delete from payout_follow_ups'
  const ANALYZE = 'analyze payout_follow_ups'
  /** Which index is for which statements. */
  const INDEXES = {
    payout_follow_ups_pkey: /payout_follow_ups\b[\s\S]*\bpayout_id = (any\(|\$)/,
    payout_follow_ups_next: /payout_follow_ups\b[\s\S]*order by next_check_at/,
    payout_follow_ups_under_way: /select created_at, payout_id from payout_follow_ups/,
  }

  /** A plan that is made for the values may know more, or have lost what it began with. */
  const VALUES: Readonly<Record<string, readonly string[]>> = {
    payout_follow_ups_next: ['now()', '100', `'sandbox'`, `'{}'`],
    payout_follow_ups_under_way: [`'01a0f67a-3800-70ed-9995-31985d5d9dc9'`, `'sandbox'`],
  }
  /** The statement with its first values written out. */
  const filled = (text: string, values: readonly string[]) =>
    text.replaceAll(/\$(\d+)/g, (parameter, n) => values[Number(n) - 1] ?? parameter)

  it.each([
    ['on a new database', []],
    ['in the first rush', [FILL]],
    ['after PostgreSQL has looked while nothing was followed', [EMPTY, ANALYZE]],
    ['in the rush after that', [FILL]],
    ['after it has cleared up while nothing was followed', [EMPTY, `vacuum ${ANALYZE}`]],
    ['in the rush after that', [FILL]],
    ['after it has looked while much was followed', [ANALYZE]],
    ['when all of that is gone', [EMPTY]],
    ['after it has looked while little was followed', ['truncate payout_follow_ups', FEW, ANALYZE]],
  ])('is looked up by its key, and what is due by its time, %s', async (_, before) => {
    for (const text of before) await owner.query(text)
    // Plans are kept: what reads all that a partner has while that is little goes on to do so when it is much.
    const byPlace = ['end_following', 'claim_due_payouts', 'lock_leases', 'complete_foretold'].map((name) =>
      made.get(name)!,
    )
    for (const text of byPlace) {
      const reads = unboundedReads(await planOf(text), (table) => table === 'payout_follow_ups')
      expect({ text, reads }).toEqual({ text, reads: [] })
    }
    for (const [index, asking] of Object.entries(INDEXES)) {
      const statements = [...made.values()].filter((text) => asking.test(text))
      expect(statements).not.toEqual([])
      const withValues = statements.flatMap((text) =>
        VALUES[index] === undefined ? [] : [filled(text, VALUES[index])],
      )
      for (const text of [...statements, ...withValues]) {
        const used = new Set(indexesUsed(await planOf(text), 'payout_follow_ups'))
        expect({ text, used }).toEqual({ text, used: new Set([index]) })
      }
    }
  })
})

/** Handled ones are kept for a month. */
describe('a message of the bank', () => {
  const FILL = `insert into bank_events (environment, event_id, category, object_ref, received_at, handled_at)
    select 'sandbox', gen_random_uuid(), 'transfer', gen_random_uuid(), now(), case when n > 100 then now() end
      from generate_series(1, 20000) n`
  const ANALYZE = 'analyze bank_events'

  it.each([
    ['on a new database', []],
    ['in the first rush', [FILL]],
    ['after PostgreSQL has looked while there was none', ['delete from bank_events', ANALYZE]],
    ['in the rush after that', [FILL]],
    ['after it has looked while there were many', [ANALYZE]],
  ])('that waits is found among those that wait, %s', async (_, before) => {
    for (const text of before) await owner.query(text)
    for (const name of ['claim_bank_events', 'look_for_work', 'queues', 'queues_due']) {
      const used = new Set(indexesUsed(await planOf(made.get(name) ?? 'select'), 'bank_events'))
      expect({ name, used }).toEqual({ name, used: new Set(['bank_events_in_turn']) })
    }
  })
})

/** Many come at once, long before PostgreSQL looks at the table again. */
describe('a delivery', () => {
  const FILL = `set session_replication_role = replica;
    insert into webhook_deliveries (partner_id, environment, endpoint_id, id, event_id, event_type, subject_id, sequence, cause,
                                    state, created_at, in_order_until, next_try_at)
    select '01a0f67a-3800-70ed-9995-31985d5d9dc9', 'sandbox', '01a0f67a-3800-70ed-9995-31985d5d9dc8', gen_random_uuid(),
           gen_random_uuid(), 'payout.created', gen_random_uuid(), 1, 'event', 'waiting', now(), now(), now()
      from generate_series(1, 5000);
    set session_replication_role = origin`
  const EMPTY = 'delete from webhook_deliveries'
  const ANALYZE = 'analyze webhook_deliveries'
  const [KEY, NEXT, SUBJECT, EVENT] = ['pkey', 'next', 'by_subject', 'by_event'].map(
    (name) => `webhook_deliveries_${name}`,
  ) as [string, string, string, string]
  const USES: Readonly<Record<string, readonly string[]>> = {
    busy_webhook_endpoints: [NEXT],
    claim_webhook_deliveries: [NEXT, SUBJECT],
    record_webhook_attempts: [KEY],
    hold_back_webhook_deliveries: [KEY, SUBJECT],
    give_back_webhook_deliveries: [KEY],
    give_up_webhook_deliveries: [NEXT],
    send_webhooks_in_order_again: [NEXT],
    oldest_webhook_delivery: [NEXT],
    find_webhook_delivery: [KEY],
    list_webhook_deliveries: [KEY],
    list_webhook_deliveries_of_subject: [EVENT],
    failed_event_ids_of_a_time: [EVENT],
    forget_webhook_deliveries: [KEY],
  }

  it.each([
    ['on a new database', []],
    ['in the first rush', [FILL]],
    ['after PostgreSQL has looked while there was none', [EMPTY, ANALYZE]],
    ['in the rush after that', [FILL]],
    ['after it has cleared up while there was none', [EMPTY, `vacuum ${ANALYZE}`]],
    ['in the rush after that', [FILL]],
    ['after it has looked while there were many', [ANALYZE]],
    ['when all of them are gone', [EMPTY]],
  ])('is looked up by the index that is for it, %s', async (_, before) => {
    for (const text of before) await owner.query(text)
    const used: Record<string, string[]> = {}
    for (const name of Object.keys(USES)) {
      const plan = await planOf(made.get(name) ?? 'select')
      used[name] = [...new Set(indexesUsed(plan, 'webhook_deliveries'))].toSorted()
    }
    expect(used).toEqual(Object.fromEntries(Object.entries(USES).map(([name, those]) => [name, those.toSorted()])))
  })
})

describe('an event', () => {
  const PARTNER = '01a0f67a-3800-70ed-9995-31985d5d9dc9'
  const FILL = `insert into events (partner_id, environment, id, position, type, subject_object, subject_id, sequence, occurred_at, facts)
    select '${PARTNER}', 'sandbox', gen_random_uuid(), (select coalesce(max(position), 0) from events) + n, 'deposit.received',
           'deposit', gen_random_uuid(), 1, now(), '{}' from generate_series(1, 5000) n`
  const MORE = FILL.replace('5000', '25000')
  const LOOK = 'select look_at_new_tables()'
  const ANALYZE = 'analyze events'

  it.each([
    ['on a new database', []],
    ['in the first rush', [FILL]],
    ['when one index has a level more than another, and the worker had PostgreSQL look', [MORE, LOOK]],
    ['after PostgreSQL has looked while there were many', [ANALYZE]],
    ['in the rush after that', [FILL, FILL]],
  ])('is looked up by its id, however many are wanted, %s', async (_, before) => {
    for (const text of before) await owner.query(`set session_replication_role = replica; ${text}`)
    await owner.query('set session_replication_role = origin')
    const text = made.get('find_events') ?? ''
    const ids = `array(select gen_random_uuid() from generate_series(1, 128))`
    const values = [`'${PARTNER}'`, `'sandbox'`, `now() - interval '90 days'`, ids]
    const filled = text.replaceAll(/\$(\d+)/g, (_whole, n) => values[Number(n) - 1]!)
    for (const each of [text, filled]) {
      expect(new Set(indexesUsed(await planOf(each), 'events'))).toEqual(new Set(['events_pkey']))
    }
  })
})

/** Overdue invoices are few, and looked for once a minute. An endpoint's next event is found by the smallest index of all. */
const WITH_ANY_INDEX = /^((is_)?untold_overdue\w*|busy_webhook_endpoints)$/
/** By a bitmap, while the table has so few pages that reading them all is right. */
const WHILE_SMALL = /: all that a partner has$/

/** A table may grow for a minute before PostgreSQL looks at it. */
describe('every statement about a table that grew faster than PostgreSQL looks', () => {
  let grown: TestDatabase
  let indexes: GrownIndex[]
  beforeAll(async () => {
    grown = await cloneDatabase()
    await owner.end()
    owner = await ownerOf(grown.url)
    await asTheProgram()
    indexes = await growTables(owner, GROWING)
  })
  afterAll(async () => {
    await owner.end()
    await grown.drop()
    owner = await ownerOf(database.url)
  })

  it('is looked at once, when the worker asks for it', async () => {
    const [looked] = await owner.query<{ names: string[] }>('select look_at_new_tables() as names')
    expect(looked!.names).toEqual(expect.arrayContaining(['events', 'ledger_entries', 'payouts', 'webhook_deliveries']))
    expect(await owner.query('select look_at_new_tables() as names')).toEqual([{ names: [] }])
  })

  it('is not looked at again and again where its rows have left', async () => {
    await owner.query(
      'set session_replication_role = replica; create table kept as table request_bodies; delete from request_bodies',
    )
    await owner.query('analyze request_bodies')
    expect(await owner.query('select look_at_new_tables() as names')).toEqual([{ names: ['kept'] }])
    await owner.query(
      'insert into request_bodies table kept; drop table kept; analyze request_bodies; reset session_replication_role',
    )
  })

  it.each([
    ['a level more', true],
    ['a level less', false],
  ])('reads what it is asked for and no more, whichever index has %s than all others', async (_, isTall) => {
    expect(indexes.length).toBeGreaterThan(30)
    for (const index of indexes) await makeTall(owner, index, !isTall)
    const found: string[] = []
    for (const index of indexes) {
      await makeTall(owner, index, isTall)
      const about = (text: string) => new RegExp(`\\b${index.table.replace(/^activity\w*$/, 'activity')}\\b`).test(text)
      for (const [name, reads] of unlisted(await unbounded(about))) {
        if (WITH_ANY_INDEX.test(name) || reads.every((read) => WHILE_SMALL.test(read))) continue
        found.push(`${index.index}: ${name}: ${reads.join(', ')}`)
      }
      await makeTall(owner, index, !isTall)
    }
    expect(found).toEqual([])
  })
})
