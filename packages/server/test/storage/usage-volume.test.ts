// What a month's usage costs when it and other months are full: a row per kind of charge, and nothing else.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Month } from '../../src/core/london-month.ts'
import { readUsage } from '../../src/storage/usage.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, inLive } from '../support/fixtures.ts'
import { scansOf } from './explain.ts'
import { type Owner, ownerOf } from './owner.ts'

const PER_MONTH = 1_000

let test: TestApp
let owner: Owner
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
  owner = await ownerOf(test.database.url)
  test.clock.set('2026-11-10T12:00:00Z')
  partner = await inLive(test, await aPartner(test), '10.00')
  await owner.query('set enable_seqscan = off')
})
afterAll(async () => {
  // They belong to no payouts, which would be noticed when the books are looked through at the end.
  await owner.query('alter table charges disable trigger user')
  await owner.query(`delete from charges where kind = 'payout_fees'`)
  await owner.query('alter table charges enable trigger user')
  await owner.query(`delete from charge_months where kind = 'payout_fees'`)
  await owner.end()
  await test.close()
})

/** As many charges in each of so many months that end with this one. */
async function charges(months: number, last: string): Promise<void> {
  await owner.query(
    `insert into charges (partner_id, cause, kind, month, amount_pence, at)
     select $1, gen_random_uuid(), 'payout_fees', date_trunc('month', at)::date, 81, at
       from generate_series(0, $2 - 1) as back, generate_series(1, $3),
            lateral (select $4::timestamptz - make_interval(months => back::int) as at) as moment`,
    [partner.id, months, PER_MONTH, last],
  )
  await owner.query('vacuum analyze charges')
}

const reads = async () => {
  const month = '2026-11' as Month
  const scans = await scansOf(owner, async (db) => {
    // The plan is all that is wanted; there are no rows to make an answer of.
    await readUsage(db, { partnerId: partner.id, environment: 'live' }, month).catch(() => undefined)
  })
  return scans
    .filter((scan) => scan['Index Name'] !== undefined)
    .map((scan) => ({
      index: scan['Index Name'],
      rows: scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0),
    }))
}

describe('the usage of a month', () => {
  it('reads a row per kind of charge, however many there are in it and came before', async () => {
    await charges(12, '2026-11-09T12:00:00Z')
    const afterAYear = await reads()
    expect(afterAYear).toContainEqual({ index: 'charge_months_pkey', rows: 2 })
    await charges(36, '2026-11-09T12:00:00Z')
    expect(await reads()).toEqual(afterAYear)
    expect(afterAYear.map(({ index }) => index)).not.toContain('charges_by_month')
  })
})
