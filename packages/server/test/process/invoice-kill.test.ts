// kill -9 in the middle of cutting invoices, again and again, and a database that cuts two off: none twice, none missing,
// no number skipped.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { londonMonth, monthBefore } from '../../src/core/london-month.ts'
import { liveYear } from '../support/live-year.ts'
import { type Home, aHome, launch, run, until } from './program.ts'

const PARTNERS = 300
const LAST_MONTH = monthBefore(londonMonth(new Date()))

let home: Home
beforeAll(async () => {
  home = await aHome()
  const year = { partners: PARTNERS, payouts: 900, from: `${LAST_MONTH}-02T12:00:00Z`, days: 20 }
  for (const statement of liveYear(year)) await home.owner.query(statement)
})
afterAll(() => home.leave())

const made = async () =>
  (await home.owner.query<{ count: number }>('select count(*)::int as count from invoices'))[0]!.count

describe('a run of invoices that is killed in the middle', () => {
  it('is finished by the next, two of which run at once, also when the database cuts them off', async () => {
    let kills = 0
    for (const enough of [20, 80, 150]) {
      const running = launch(['invoice', 'run'], home.settings)
      await until(`${enough} invoices are there`, async () => (await made()) >= enough)
      const { signal } = await running.kill('SIGKILL')
      if (signal === 'SIGKILL') kills++
    }
    expect(kills).toBe(3)
    expect(await made()).toBeLessThan(PARTNERS)
    // The database ends all connections under two that run at once: each loses the invoice that it was at, and goes on.
    const both = [launch(['invoice', 'run'], home.settings), launch(['invoice', 'run'], home.settings)]
    await until('200 invoices are there', async () => (await made()) >= 200)
    await home.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    )
    for (const { code, stderr } of await Promise.all(both.map(({ ended }) => ended))) {
      expect(code === 0 ? '' : stderr).toMatch(/^$|\b[12] of \d+ invoices could not be cut: /)
    }
    expect(await made()).toBeGreaterThanOrEqual(PARTNERS - 4)
    expect((await run(['invoice', 'run'], home.settings)).code).toBe(0)
    expect(await made()).toBe(PARTNERS)
    const audit = await run(['invoice', 'audit'], home.settings)
    expect(audit.stdout).toMatch(/^The invoices are right: 300 invoices, 900 payouts, \d+\.\d\d GBP; \d+ checks\.\n$/)
    expect(audit.code).toBe(0)
  })
})
