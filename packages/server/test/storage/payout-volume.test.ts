// What filters, sums and searches cost on a hundred thousand payouts: one index, and not the table.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { pence } from '../../src/core/money.ts'
import type { RailName } from '../../src/core/rail-name.ts'
import { listPayouts as readPage } from '../../src/domain/payouts/read/list-payouts.ts'
import { payoutSearch } from '../../src/domain/payouts/read/search-words.ts'
import { NO_CRITERIA, type PayoutCriteria } from '../../src/storage/payout-criteria.ts'
import { readPayoutsOfTransfers } from '../../src/storage/bank-comparison.ts'
import { findPlaceAfter, listPayouts, listRecipients } from '../../src/storage/payout-lists.ts'
import { sumPayoutsByDay } from '../../src/storage/payout-days.ts'
import { addUpPayouts, sumPayouts } from '../../src/storage/payout-sums.ts'
import type { LondonDay } from '../../src/core/london-day.ts'
import type { Db } from '../../src/storage/sql.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { aPartner } from '../support/fixtures.ts'
import { manyPayouts } from '../support/many-payouts.ts'
import { scansOf } from './explain.ts'
import { type Owner, ownerOf } from './owner.ts'

const COUNT = 100_000
const NEWEST = new Date('2026-11-02T12:00:00Z')

let test: TestApp
let owner: Owner
let scope: { partnerId: string; environment: 'sandbox' }
beforeAll(async () => {
  test = await startTestApp()
  owner = await ownerOf(test.database.url)
  const [partner, neighbour] = [await aPartner(test), await aPartner(test)]
  scope = { partnerId: partner.id, environment: 'sandbox' }
  // Rows that are not on disk yet are not marked as visible to all, and then an index-only scan reads the table too.
  await owner.query('set synchronous_commit = on')
  const query = (text: string, values: readonly unknown[]) => owner.query(text, values)
  await manyPayouts(query, partner.id, { count: COUNT, newest: NEWEST })
  await manyPayouts(query, neighbour.id, { count: 10_000, newest: NEWEST })
  await owner.query('vacuum analyze payouts')
  // One of the two partners has most of the table, so reading all of it would pay; with a hundred partners it never does.
  await owner.query('set enable_seqscan = off')
  // The costs of an SSD, and one process, so that the plan's figures can be read.
  await owner.query('set random_page_cost = 1.1')
  await owner.query('set max_parallel_workers_per_gather = 0')
})
afterAll(async () => {
  await owner.end()
  await test.close()
})

const list = (criteria: Partial<PayoutCriteria>) => (db: Db) =>
  listPayouts(db, scope, { ...NO_CRITERIA, ...criteria, before: null, downTo: null, limit: 51 })

describe('with 100,000 payouts, the list', () => {
  it.each<[string, Partial<PayoutCriteria>]>([
    ['unfiltered', {}],
    ['of two statuses that are rare', { statuses: ['pending', 'returned'] }],
    ['of a reference', { reference: 'Order 99999' }],
    ['of a time', { createdTo: new Date('2026-11-02T00:00:00Z') }],
  ])('%s reads little more than the page', async (_what, criteria) => {
    const scans = await scansOf(owner, list(criteria))
    expect(scans.map((scan) => scan['Node Type'])).not.toContain('Seq Scan')
    for (const scan of scans) {
      expect(scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)).toBeLessThanOrEqual(51)
    }
  })

  it.each<[string, Partial<PayoutCriteria>, number]>([
    ['by a rare name', { search: payoutSearch('queb zeb') }, 0],
    ['by a word of a rare name', { search: payoutSearch('quil') }, 51],
    ['by four digits', { search: payoutSearch('4321') }, 51],
    ['by a word of the reference', { search: payoutSearch('order 4242') }, 11],
    ['by an amount', { search: payoutSearch('£50.99') }, 20],
    ['by a range of amounts', { amountFrom: pence(5_099n), amountTo: pence(5_099n) }, 20],
    ['by how they were made', { createdVia: 'dashboard' }, 51],
    ['by when they completed', { completedFrom: NEWEST }, 0],
    ['by when they ended', { endedFrom: NEWEST, statuses: ['failed', 'returned'] }, 0],
  ])('found %s looks at the index alone, and fetches the page', async (_what, criteria, found) => {
    expect(await list(criteria)(test.deps.db)).toHaveLength(found)
    const scans = await scansOf(owner, list(criteria))
    expect(scans.map((scan) => scan['Node Type'])).not.toContain('Seq Scan')
    const fetching = scans.filter((scan) => scan['Node Type'] !== 'Index Only Scan')
    for (const scan of fetching) expect(scan['Rows Removed by Filter'] ?? 0).toBeLessThanOrEqual(51)
  })

  it('found by a whole id is one look', async () => {
    const [one] = await list({})(test.deps.db)
    const search = payoutSearch(` ${one!.id.toUpperCase()} `)
    expect((await list({ search })(test.deps.db)).map((payout) => payout.id)).toEqual([one!.id])
    const scans = await scansOf(owner, list({ search }))
    expect(scans.map((scan) => scan['Actual Rows'])).toEqual([1])
  })

  it('of a page of the bank’s transfers is found by their ids in one look at an index', async () => {
    const refs = Array.from({ length: 100 }, (_, index) => `transfer ${index}`)
    const ofBank = { environment: 'sandbox', rail: 'provider_sandbox' as RailName } as const
    const scans = await scansOf(owner, (db) => readPayoutsOfTransfers(db, ofBank, refs))
    expect(new Set(scans.map((scan) => scan['Index Name'] ?? ''))).toContain('payout_transfers_ref')
    for (const scan of scans) expect(scan['Rows Removed by Filter'] ?? 0).toBe(0)
  })
})

describe('with 100,000 payouts, a search', () => {
  /** Page after page until the last, as a caller would read them. */
  const pages = async (text: string) => {
    const found: (readonly string[])[] = []
    let cursor: string | null = null
    do {
      const asked = { ...NO_CRITERIA, search: payoutSearch(text), cursor, limit: 50 }
      const page: Awaited<ReturnType<typeof readPage>> = await readPage(test.deps, scope, asked)
      found.push(page.payouts.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor !== null)
    return found
  }

  it('without a match looks through ten thousand per page, and comes to an end', async () => {
    expect(await pages('queb zeb')).toEqual(Array.from({ length: 11 }, () => []))
  })

  it('finds each payout once over its pages, the newest first', async () => {
    const everything = await listPayouts(test.deps.db, scope, {
      ...NO_CRITERIA,
      search: payoutSearch('quill'),
      before: null,
      downTo: null,
      limit: 1_000,
    })
    expect(everything).toHaveLength(100)
    expect((await pages('quill')).flat()).toEqual(everything.map(({ id }) => id))
  })

  it('reads no more than it is given to look through', async () => {
    for (const criteria of [
      { search: payoutSearch('queb zeb') },
      { createdVia: null, statuses: ['completed'] as const },
    ]) {
      const asked = { ...NO_CRITERIA, ...criteria }
      const downTo = await findPlaceAfter(test.deps.db, scope, asked, { before: null, others: 999 })
      const scans = await scansOf(owner, (db) => listPayouts(db, scope, { ...asked, before: null, downTo, limit: 51 }))
      for (const scan of scans) {
        expect(scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)).toBeLessThanOrEqual(1_000)
      }
    }
  })

  it('is summed up over the newest payouts, and says how far back', async () => {
    const asked = { ...NO_CRITERIA, search: payoutSearch('quill') }
    const { sums, downTo } = await sumPayouts(test.deps.db, scope, asked, 10_000)
    expect(sums).toMatchObject([{ status: 'failed', count: 10 }])
    expect(downTo?.createdAt).toEqual(new Date(NEWEST.getTime() - 9_999_000))
    expect(await sumPayouts(test.deps.db, scope, asked, COUNT + 1)).toMatchObject({
      sums: [{ count: 100 }],
      downTo: null,
    })
  })

  it('of a status that few have is summed up over no more', async () => {
    const asked = { ...NO_CRITERIA, search: payoutSearch('quill'), statuses: ['failed'] as const }
    const { sums, downTo } = await sumPayouts(test.deps.db, scope, asked, 10_000)
    expect(sums).toMatchObject([{ status: 'failed', count: 10 }])
    expect(downTo?.createdAt).toEqual(new Date(NEWEST.getTime() - 9_999_000))
  })

  it('for a whole id finds it however far back it is, in the list and in its sum', async () => {
    const [oldest] = await owner.query<{ id: string }>(
      'select id from payouts where partner_id = $1 order by created_at limit 1',
      [scope.partnerId],
    )
    const asked = { ...NO_CRITERIA, search: payoutSearch(oldest!.id), statuses: ['completed', 'failed'] as const }
    const page = await readPage(test.deps, scope, { ...asked, cursor: null, limit: 50 })
    expect([page.payouts.map(({ id }) => id), page.nextCursor]).toEqual([[oldest!.id], null])
    expect(await sumPayouts(test.deps.db, scope, asked, 10_000)).toMatchObject({ sums: [{ count: 1 }], downTo: null })
  })

  it('by when payouts completed or ended begins where such payouts can be', async () => {
    const hours = (count: number) => new Date(NEWEST.getTime() - count * 3_600_000)
    for (const asked of [{ completedTo: hours(26) }, { endedTo: hours(26) }]) {
      const criteria = { ...NO_CRITERIA, ...asked }
      const first = await findPlaceAfter(test.deps.db, scope, criteria, { before: null, others: 0 })
      // A day is left for clocks that differ.
      expect(first?.createdAt).toEqual(new Date(hours(2).getTime() - 1_000))
    }
  })
})

describe('with 100,000 payouts, the recipients', () => {
  it('are grouped from so many of the newest', async () => {
    const asked = { since: new Date(0), payouts: 1_000, most: 200 }
    const scans = await scansOf(owner, (db) => listRecipients(db, scope, asked))
    expect(scans.map((scan) => [scan['Index Name'], scan['Actual Rows']])).toContainEqual(['payouts_listed', 1_000])
    for (const scan of scans) expect(scan['Actual Rows']).toBeLessThanOrEqual(1_000)
  })
})

describe('with 100,000 payouts, the sums', () => {
  it('of everything, of a month, of what ended: read the few rows of their days', async () => {
    const month = { completedFrom: new Date('2026-11-01T00:00:00Z'), completedTo: new Date('2026-12-01T00:00:00Z') }
    for (const criteria of [{}, month, { endedFrom: new Date('2026-11-02T00:00:00Z') }]) {
      const scans = await scansOf(owner, (db) => sumPayouts(db, scope, { ...NO_CRITERIA, ...criteria }))
      expect(new Set(scans.map((scan) => scan['Index Name']))).toEqual(new Set(['payout_days_pkey']))
      for (const scan of scans) expect(scan['Actual Rows']).toBeLessThanOrEqual(10)
    }
  })

  it('of part of a day read that part of the payouts, found by the index', async () => {
    const createdFrom = new Date(NEWEST.getTime() - 60_000)
    const scans = await scansOf(owner, (db) => sumPayouts(db, scope, { ...NO_CRITERIA, createdFrom }))
    for (const scan of scans) expect(scan['Actual Rows']).toBeLessThanOrEqual(61)
  })

  it('of a search read the index, and of the table what was found', async () => {
    const scans = await scansOf(owner, (db) =>
      addUpPayouts(db, scope, { ...NO_CRITERIA, search: payoutSearch('quill') }),
    )
    expect(scans.map((scan) => `${scan['Node Type']} ${scan['Index Name']}`)).toContain(
      'Index Only Scan payouts_listed',
    )
    for (const scan of scans) expect(scan['Actual Rows']).toBeLessThanOrEqual(COUNT / 1_000)
  })

  it('by day read the days that are asked for', async () => {
    const scans = await scansOf(owner, (db) => sumPayoutsByDay(db, scope, '2026-11-02' as LondonDay))
    // One status, made through the API and in the dashboard.
    expect(scans.map((scan) => [scan['Index Name'], scan['Actual Rows']])).toEqual([['payout_days_pkey', 2]])
  })
})
