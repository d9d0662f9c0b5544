// `kestrel migrate --dry-run`: what it says of the locks is compared with those that PostgreSQL holds while each migration is
// really carried out.
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { planInLines } from '../../src/cli/present-plan.ts'
import { MIGRATIONS_FOLDER } from '../../src/package-root.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { isOutsideTransaction, statementsOf, stepsOf } from '../../src/storage/migration-steps.ts'
import { planMigrations } from '../../src/storage/plan-migrations.ts'
import { LOCK_MODES, type LockMode } from '../../src/storage/step-locks.ts'
import { type Owner, emptyDatabase, ownerOf } from './owner.ts'

const FILES = readdirSync(MIGRATIONS_FOLDER).toSorted()
type Locks = Record<string, LockMode>
const HINDERING: readonly LockMode[] = LOCK_MODES.slice(1)

/** What this connection holds. */
const HELD = `
  select l.relation::int as oid, lower(regexp_replace(replace(l.mode, 'Lock', ''), '([a-z])([A-Z])', '\\1 \\2', 'g')) as mode
    from pg_locks l where l.pid = pg_backend_pid() and l.granted and l.locktype = 'relation'`
/** Every table, by the name of the whole where it is a part. */
const TABLES = `
  select c.oid::int as oid, coalesce(whole.relname, c.relname) as name
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class whole on whole.oid = i.inhparent
   where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`
/** Two tables change their names in it, and a key comes to the parts of a new one. It was applied long ago. */
const TOO_INTRICATE = '0030_activity_by_month.sql'

function stronger(one: LockMode | undefined, other: LockMode): LockMode {
  return one !== undefined && LOCK_MODES.indexOf(one) > LOCK_MODES.indexOf(other) ? one : other
}

describe('the locks of a plan', () => {
  let database: Awaited<ReturnType<typeof emptyDatabase>>
  let owner: Owner
  let folder: string
  beforeAll(async () => {
    database = await emptyDatabase()
    owner = await ownerOf(database.url)
    folder = mkdtempSync(join(tmpdir(), 'kestrel-plan-'))
    await owner.query('create table migrations (name text primary key, applied_at timestamptz not null default now())')
  })
  afterAll(async () => {
    await owner.end()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** What the step holds just before its end, on tables that were there before; rows that are written hold nobody up. */
  async function carryOut(step: string, there: ReadonlyMap<number, string>): Promise<Locks> {
    if (isOutsideTransaction(step)) {
      for (const statement of statementsOf(step)) await owner.query(statement)
      return {}
    }
    await owner.query('begin')
    await owner.query(step)
    const held = await owner.query<{ oid: number; mode: LockMode }>(HELD)
    await owner.query('commit')
    const locks: Locks = {}
    for (const { oid, mode } of held) {
      const name = there.get(oid)
      if (name !== undefined && HINDERING.includes(mode)) locks[name] = stronger(locks[name], mode)
    }
    return locks
  }

  it('are those that every migration really takes', async () => {
    const wrong: object[] = []
    let compared = 0
    // One after the other on one database, each planned on what those before it have made.
    for (const name of FILES) {
      cpSync(join(MIGRATIONS_FOLDER, name), join(folder, name))
      const plan = await planMigrations({ url: database.url, folder })
      expect(plan.migrations.map((each) => each.name)).toEqual([name])
      const steps = stepsOf(readFileSync(join(MIGRATIONS_FOLDER, name), 'utf8'))
      const tables = await owner.query<{ oid: number; name: string }>(TABLES)
      const there = new Map(tables.map(({ oid, name: table }) => [oid, table]))
      for (const [nth, step] of steps.entries()) {
        const planned = plan.migrations[0]!.steps[nth]!
        const hindering = planned.locks.filter(({ mode }) => HINDERING.includes(mode))
        const said: Locks = Object.fromEntries(hindering.map(({ table, mode }) => [table, mode]))
        const held = await carryOut(step, there)
        const isHidden = Object.entries(held).some(([table, mode]) => stronger(said[table], mode) !== said[table])
        // A block does some things only under a condition; everything else is said no worse than it is.
        const isPlain = planned.isInTransaction && !/\bdo\s+\$/.test(step)
        const isExact = Object.keys(said).every((table) => said[table] === held[table])
        if (name === TOO_INTRICATE) continue
        if (isHidden || (isPlain && !isExact)) wrong.push({ name, nth, said, held })
        compared += Object.keys(held).length
      }
      await owner.query('insert into migrations (name) values ($1)', [name])
    }
    expect(wrong).toEqual([])
    expect(compared).toBeGreaterThan(100)
  })
})

describe('a plan', () => {
  let database: Awaited<ReturnType<typeof emptyDatabase>>
  let owner: Owner
  let folder: string
  beforeEach(async () => {
    database = await emptyDatabase()
    owner = await ownerOf(database.url)
    folder = mkdtempSync(join(tmpdir(), 'kestrel-plan-'))
    writeFileSync(
      join(folder, '0001_one.sql'),
      'create table one (id int, more int); create index one_by_id on one (id);',
    )
    await migrate({ url: database.url, folder })
    await owner.query('insert into one select n from generate_series(1, 12345) n')
    await owner.query('analyze one')
  })
  afterEach(async () => {
    await owner.end()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('says who waits for what, and how much there is to read', async () => {
    writeFileSync(
      join(folder, '0002_two.sql'),
      `-- step: a rule for what is new
alter table one add constraint small check (id < 1000000) not valid;
create table two (id int primary key);
-- step
alter table one validate constraint small;
-- step, outside a transaction
drop index concurrently if exists one_by_id;
create index concurrently one_by_more on one (more);
`,
    )
    writeFileSync(join(folder, '0003_three.sql'), 'alter table one add check (more > 0); insert into two values (1);')
    const plan = await planMigrations({ url: database.url, folder })
    expect(planInLines(plan)).toEqual([
      '2 of 3 migrations would be applied. Nothing was changed.',
      'A step that waits 0.5 s for a table steps back and comes again, up to 40 times.',
      '',
      '0002_two.sql',
      '  step 1 of 3, in a transaction',
      '    one (about 12,345 rows): access exclusive, nobody reads it or writes to it for a moment',
      '  step 2 of 3, in a transaction',
      '    one (about 12,345 rows): share update exclusive, holds nobody up while all of it is read',
      '  step 3 of 3, beside the work, statement by statement',
      '    one (about 12,345 rows): share update exclusive, holds nobody up while all of it is read',
      '',
      '0003_three.sql',
      '  step 1 of 1, in a transaction',
      '    one (about 12,345 rows): access exclusive, nobody reads it or writes to it while all of it is read',
    ])
    expect(await owner.query('select name from migrations')).toEqual([{ name: '0001_one.sql' }])
  })

  it('is made while somebody holds every table, and waits for nobody', async () => {
    writeFileSync(join(folder, '0002_two.sql'), 'alter table one add column even_more int')
    await owner.query('begin')
    await owner.query('lock table one in access exclusive mode')
    const plan = await planMigrations({ url: database.url, folder })
    expect(plan.migrations.map(({ name }) => name)).toEqual(['0002_two.sql'])
    await owner.query('rollback')
  })
})
