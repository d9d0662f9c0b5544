// What it costs to look for payouts to tell of: those that did not arrive since the last time, whatever else there was.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { listPartnersToTell } from '../../src/storage/undelivered-payouts.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { liveYear } from '../support/live-year.ts'
import { scansOf } from './explain.ts'
import { type Owner, ownerOf } from './owner.ts'

let test: TestApp
let owner: Owner
beforeAll(async () => {
  test = await startTestApp()
  owner = await ownerOf(test.database.url)
  const year = { partners: 3, payouts: 6_000, from: '2026-01-01T09:00:00Z', days: 300 }
  for (const statement of liveYear(year)) await owner.query(statement)
  await owner.query('vacuum analyze payouts')
  await owner.query('set enable_seqscan = off')
})
afterAll(async () => {
  await owner.end()
  await test.close()
})

describe('looking for payouts that did not arrive', () => {
  const reads = async (until: string) =>
    (await scansOf(owner, (db) => listPartnersToTell(db, new Date(until))))
      .filter((scan) => scan['Index Name'] === 'payouts_not_delivered')
      .map((scan) => scan['Actual Rows'])

  it('reads what did not arrive and nothing else, and nothing where all have been told', async () => {
    expect((await reads('2026-12-31T00:00:00Z'))[0]).toBeLessThanOrEqual(40)
    await owner.query(`update partners set undelivered_told_until = '2026-12-30T00:00:00Z'`)
    expect(await reads('2026-12-31T00:00:00Z')).toEqual([0])
  })
})
