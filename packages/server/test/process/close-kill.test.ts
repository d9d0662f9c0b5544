// kill -9 of `kestrel partner close` at each of its steps: the business is closed or it is not, and the record of it is
// there exactly if it is; the command can be given again, by two at once, and its keys are out.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Owner, ownerOf } from '../storage/owner.ts'
import { type Home, type Served, aHome, launch, run, serveOn, until } from './program.ts'
import { createPartner, postPayout } from './requests.ts'

let home: Home
let gate: Owner
let api: Served
beforeAll(async () => {
  home = await aHome()
  ;[gate, api] = await Promise.all([ownerOf(home.settings['DATABASE_URL']!), serveOn('api', home.settings)])
})
afterAll(async () => {
  await gate.end()
  await home.leave()
})

/** What holds the command up, and the statement at which it then waits; whether the database loses what it was sent. */
const STEPS = [
  {
    step: 'before it has the business',
    shut: 'select 1 from partners for update',
    at: 'select status from partners',
    isLost: false,
    isClosed: [false],
  },
  {
    step: 'before it has the wallet',
    shut: 'select 1 from ledger_accounts for update',
    at: 'select balance from ledger_accounts',
    isLost: false,
    isClosed: [false],
  },
  {
    step: 'before the closing is recorded',
    shut: 'lock table activity in share row exclusive mode',
    at: 'insert into activity',
    isLost: true,
    isClosed: [false],
  },
  {
    step: 'before it hears of the end',
    shut: 'lock table activity in share row exclusive mode',
    at: 'insert into activity',
    isLost: false,
    // Unless it died before it had sent the word that ends it.
    isClosed: [true, false],
  },
] as const

const count = async (what: string) =>
  (await home.owner.query<{ count: number }>(`select count(*)::int as count from ${what}`))[0]!.count

async function stateOf(id: string) {
  const [partner] = await home.owner.query<{ status: string; closed: boolean }>(
    'select status, closed_at is not null as closed from partners where id = $1',
    [id],
  )
  const recorded = await count(`activity where partner_id = '${id}' and action = 'partner.close'`)
  return { ...partner!, recorded }
}

const money = () => home.owner.query('select * from ledger_entries order by partner_id, environment, id')

describe('a closing that is killed', () => {
  it.each(STEPS)(
    '$step is done whole or not at all, and can be done again',
    async ({ step, shut, at, isLost, isClosed }) => {
      const slug = step.replaceAll(' ', '-')
      const { id, key } = await createPartner(home.settings, slug)
      expect((await postPayout(api.url, key, `order-${slug}`)).status).toBe(201)
      const before = await money()

      await gate.query('begin')
      await gate.query(shut)
      // By name: the API may open connections at any time, too.
      const database = new URL(home.settings['DATABASE_URL']!)
      database.searchParams.set('application_name', 'closing')
      const own = `pg_stat_activity where datname = current_database() and application_name = 'closing'`
      const cut = launch(['partner', 'close', slug], { ...home.settings, DATABASE_URL: database.href })
      await until(
        `it is at: ${at}`,
        async () => (await count(`${own} and wait_event_type = 'Lock' and query ilike '${at}%'`)) > 0,
      )
      expect((await cut.kill('SIGKILL')).signal).toBe('SIGKILL')
      if (isLost) await home.owner.query(`select pg_terminate_backend(pid) from ${own}`)
      await gate.query('rollback')
      await until('its connections are gone', async () => (await count(own)) === 0)
      const left = await stateOf(id)
      expect([
        { status: 'active', closed: false, recorded: 0 },
        { status: 'closed', closed: true, recorded: 1 },
      ]).toContainEqual(left)
      expect(isClosed).toContain(left.closed)
      expect((await postPayout(api.url, key, `later-${slug}`)).status).toBe(left.closed ? 403 : 201)

      const again = await Promise.all([1, 2].map(() => run(['partner', 'close', slug, '--json'], home.settings)))
      expect(again.map(({ code }) => code)).toEqual([0, 0])
      for (const { stdout } of again) expect(JSON.parse(stdout)).toMatchObject({ partner: { status: 'closed' } })
      expect(await stateOf(id)).toEqual({ status: 'closed', closed: true, recorded: 1 })
      expect(await postPayout(api.url, key, `last-${slug}`)).toMatchObject({
        status: 403,
        body: { error: { code: 'partner_not_active' } },
      })
      expect((await money()).filter(({ environment }) => environment === 'live')).toEqual(
        before.filter(({ environment }) => environment === 'live'),
      )
      expect((await run(['partner', 'activate', slug], home.settings)).code).toBe(1)
    },
  )
})
