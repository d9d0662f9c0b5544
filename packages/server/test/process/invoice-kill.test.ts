// kill -9 in the middle of cutting invoices, again and again: none twice, none missing, no number skipped.
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
    expect(audit.stdout).toMatch(/^The invoices are right: 300 invoices, 900 payouts, \d+\.\d\d GBP; \d+ checks\.\n$/)
    expect(audit.code).toBe(0)
  })
})
