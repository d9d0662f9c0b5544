// kill -9 in the middle of cutting invoices, again and again: none twice, none missing, no number skipped.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { londonMonth, monthBefore } from '../../src/core/london-month.ts'
import { type Home, aHome, launch, run, until } from './program.ts'

const PARTNERS = 300
const LAST_MONTH = monthBefore(londonMonth(new Date()))

let home: Home
beforeAll(async () => {
  home = await aHome()
  await run(['partner', 'list'], home.settings)
  await home.owner.query(
    `insert into partners (id, slug, name, verification_status, verified_at, created_at)
     select gen_random_uuid(), 'partner-' || n, 'Partner ' || n, 'approved', $1, $1 from generate_series(1, ${PARTNERS}) n`,
    [`${LAST_MONTH}-10T12:00:00Z`],
  )
  await home.owner.query(
    `insert into wallets (partner_id, environment, rail, created_at)
     select id, 'live', 'provider_production', created_at from partners`,
  )
  await home.owner.query(
    `insert into ledger_accounts (partner_id, environment, account)
     select id, 'live', unnest(enum_range(null::ledger_account)) from partners`,
  )
  await home.owner.query(`insert into plans select id, created_at, 99, 100, 20, 50, 1500, 3900 from partners`)
})
afterAll(() => home.leave())

const made = async () =>
  (await home.owner.query<{ count: number }>('select count(*)::int as count from invoices'))[0]!.count

describe('a run of invoices that is killed in the middle', () => {
  it('is finished by the next, two of which run at once', async () => {
    let kills = 0
    for (const enough of [20, 80, 150]) {
      const running = launch(['invoice', 'run'], home.settings)
      await until(`${enough} invoices are there`, async () => (await made()) >= enough)
      const { signal } = await running.kill('SIGKILL')
      if (signal === 'SIGKILL') kills++
    }
    expect(kills).toBe(3)
    expect(await made()).toBeLessThan(PARTNERS)
    const ends = await Promise.all([run(['invoice', 'run'], home.settings), run(['invoice', 'run'], home.settings)])
    expect(ends.map(({ code }) => code)).toEqual([0, 0])
    expect(await made()).toBe(PARTNERS)
    const audit = await run(['invoice', 'audit'], home.settings)
    expect(audit.stdout).toBe(`The invoices are right: 300 invoices, 0 payouts, 4500.00 GBP; 7 checks.\n`)
    expect(audit.code).toBe(0)
  })
})
