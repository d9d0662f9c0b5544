// The sums that are kept: whatever happens to payouts and wallets, they are what adding everything up again gives, and the
// audit says whose and which day is off when one is not.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { londonMonth } from '../../src/core/london-month.ts'
import { startOfDay, parseDay } from '../../src/core/london-day.ts'
import { addUpPayouts, sumPayouts as sumsOf } from '../../src/storage/payout-sums.ts'
import { NO_CRITERIA } from '../../src/storage/payout-criteria.ts'
import { daysAsked } from '../../src/storage/payout-days.ts'
import type { StatusSum } from '../../src/storage/payout-days.ts'
import { listMoreMovements, sumMovements } from '../../src/storage/statements.ts'
import { findBreaks } from '../../src/storage/book-checks.ts'
import { findRollupBreaks } from '../../src/storage/rollup-audit.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { commandsOn } from '../support/commands.ts'
import { type TestPartner, aPartner, aRecipient, createPayout } from '../support/fixtures.ts'
import { type Owner, ownerOf } from './owner.ts'

const NO_BANK = { baseUrl: 'http://127.0.0.1:9', apiKey: 'none' }

let test: TestApp
let owner: Owner
let partner: TestPartner
let scope: { partnerId: string; environment: 'sandbox' }
beforeAll(async () => {
  test = await startTestApp()
  owner = await ownerOf(test.database.url)
  // The last Sunday of October: London's day of 25 hours begins at 23:00 UTC the day before.
  test.clock.set('2026-10-24T21:30:00Z')
  partner = await aPartner(test, { usdc: '5000.00' })
  scope = { partnerId: partner.id, environment: 'sandbox' }
  const stories = [
    'a',
    'sandbox:return',
    'sandbox:fail',
    'sandbox:cancel',
    'sandbox:late',
    'sandbox:hold',
    'sandbox:down',
  ]
  for (let hour = 0; hour < 30; hour += 1) {
    const reference = stories[hour % stories.length]!
    const recipient = aRecipient(hour % 5 === 0 ? { account_number: '98760000' } : {})
    await createPayout(test, partner, { reference, recipient, amount_gbp: `${1 + hour}.50` })
    test.clock.advance(3_600_000)
    await test.follow()
  }
})
afterAll(async () => {
  await owner.end()
  await test.close()
})

const sumPayouts = async (...asked: Parameters<typeof sumsOf>) => (await sumsOf(...asked)).sums
const inOrder = (sums: readonly StatusSum[]) => sums.toSorted((a, b) => a.status.localeCompare(b.status))

describe('the sums of payouts', () => {
  const MOMENTS = [
    '2026-10-23T23:00:00Z',
    '2026-10-24T22:59:59.999Z',
    '2026-10-24T23:00:00Z',
    '2026-10-25T07:13:00Z',
    '2026-10-26T00:00:00Z',
    '2026-10-26T03:30:00Z',
  ].map((text) => new Date(text))

  it.each(['created', 'completed', 'ended'] as const)('by when they were %s are those of the payouts', async (by) => {
    let fromDays = 0
    for (const from of [null, ...MOMENTS]) {
      for (const to of [null, ...MOMENTS]) {
        for (const statuses of [null, ['completed', 'failed'] as const]) {
          const criteria = { ...NO_CRITERIA, statuses, [`${by}From`]: from, [`${by}To`]: to }
          if (daysAsked(criteria) !== null) fromDays += 1
          const [kept, found] = await Promise.all([
            sumPayouts(test.deps.db, scope, criteria),
            addUpPayouts(test.deps.db, scope, criteria),
          ])
          expect({ criteria, sums: inOrder(kept) }).toEqual({ criteria, sums: inOrder(found) })
        }
      }
    }
    expect(fromDays).toBeGreaterThan(15)
  })

  it('have something of everything in this test', async () => {
    const statuses = (await sumPayouts(test.deps.db, scope, NO_CRITERIA)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual(['cancelled', 'completed', 'failed', 'processing', 'returned'])
  })

  it('are asked of the payouts themselves where the days do not say', () => {
    expect(daysAsked({ ...NO_CRITERIA, reference: 'x' })).toBeNull()
    expect(daysAsked({ ...NO_CRITERIA, createdFrom: MOMENTS[0]!, endedFrom: MOMENTS[0]! })).toBeNull()
    expect(daysAsked({ ...NO_CRITERIA, completedFrom: MOMENTS[1]! })).toBeNull()
  })

  it.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])('take %s for either end', async (text) => {
    const moment = new Date(text)
    for (const criteria of [{ createdFrom: moment }, { createdTo: moment }, { completedTo: moment }]) {
      const [kept, found] = await Promise.all([
        sumPayouts(test.deps.db, scope, { ...NO_CRITERIA, ...criteria }),
        addUpPayouts(test.deps.db, scope, { ...NO_CRITERIA, ...criteria }),
      ])
      expect(inOrder(kept)).toEqual(inOrder(found))
    }
  })
})

describe('the sums of a wallet', () => {
  // As they were asked for before they were kept.
  const ADDED_UP = `
    select coalesce(sum(change) filter (where at < $2), 0)::text as opening,
           coalesce(sum(change) filter (where at < $3), 0)::text as closing,
           coalesce(sum(amount) filter (where at >= $2 and at < $3 and from_account <> 'available'), 0)::text as "in",
           coalesce(sum(amount) filter (where at >= $2 and at < $3 and from_account = 'available'), 0)::text as "out"
      from (select at, amount, from_account, case when from_account = 'available' then -amount else amount end as change
              from ledger_entries
             where partner_id = $1 and environment = 'sandbox' and 'available' in (from_account, to_account)) movement`

  it.each([
    ['2026-10-24', '2026-10-25'],
    ['2026-10-25', '2026-10-26'],
    ['2026-10-26', '2026-10-27'],
    ['2026-10-01', '2026-11-01'],
    ['2026-11-01', '2026-12-01'],
  ])('from %s until %s are those of its entries', async (first, end) => {
    const [from, to] = [startOfDay(parseDay(first)!), startOfDay(parseDay(end)!)]
    const sums = await sumMovements(test.deps.db, scope, { from, to })
    const [found] = await owner.query(ADDED_UP, [partner.id, from, to])
    expect({ ...found }).toEqual({
      opening: `${sums.opening}`,
      closing: `${sums.closing}`,
      in: `${sums.in}`,
      out: `${sums.out}`,
    })
    expect(sums.opening + sums.toppedUp - sums.takenOut - sums.paidOut + sums.cameBack).toBe(sums.closing)
  })
})

describe('a page of a statement', () => {
  it('is read from its period on, not from the first movement ever', async () => {
    const [from, to] = [startOfDay(parseDay('2026-10-26')!), startOfDay(parseDay('2026-10-27')!)]
    const given: unknown[] = []
    const noting = {
      query: (_: unknown, values: readonly unknown[] = []) => {
        given.push(...values)
        return Promise.resolve([])
      },
    }
    await listMoreMovements(noting, scope, { from, to, after: { at: new Date(0), id: 0n }, limit: 5 })
    const moments = given.filter((value): value is Date => value instanceof Date)
    expect(moments.length).toBeGreaterThan(2)
    expect(moments.every((moment) => moment >= from)).toBe(true)
  })
})

describe('kestrel audit rollups', () => {
  const audit = async () =>
    (await commandsOn(test, NO_BANK)('audit', 'rollups')) as {
      wallets: number
      differences: number
      shown: { partner: string; environment: string; check: string; detail: string }[]
    }

  it('finds nothing in sound books', async () => {
    const { wallets, differences, shown } = await audit()
    expect(shown).toEqual([])
    expect(differences).toBe(0)
    expect(wallets).toBeGreaterThanOrEqual(1)
  })

  it.each([
    {
      table: 'payout_days',
      change: `payouts = payouts + 1 where counted_by = 'created' and day = '2026-10-25' and status = 'completed'`,
      undo: `payouts = payouts - 1 where counted_by = 'created' and day = '2026-10-25' and status = 'completed'`,
      check: 'payout_days_are_not_their_payouts',
    },
    {
      table: 'wallet_days',
      change: `out_micro = out_micro + 1 where day = '2026-10-25'`,
      undo: `out_micro = out_micro - 1 where day = '2026-10-25'`,
      check: 'wallet_days_are_not_their_entries',
    },
    {
      table: 'usage_months',
      change: `created = created + 1 where month = '2026-10-01'`,
      undo: `created = created - 1 where month = '2026-10-01'`,
      check: 'usage_months_are_not_their_payouts',
    },
  ])('names the business and the day where $table is off', async ({ table, change, undo, check }) => {
    await owner.query(`update ${table} set ${change} and partner_id = '${partner.id}'`)
    const { differences, shown } = await audit()
    await owner.query(`update ${table} set ${undo} and partner_id = '${partner.id}'`)
    expect(differences).toBe(1)
    expect(shown[0]).toMatchObject({ environment: 'sandbox', check })
    expect(shown[0]!.detail).toContain(table === 'usage_months' ? '2026-10-01' : '2026-10-25')
    const [named] = await owner.query('select slug from partners where id = $1', [partner.id])
    expect(shown[0]!.partner).toBe(named!['slug'])
  })
})

describe('payouts of several wallets and processes at once', () => {
  it('are each counted once', async () => {
    const [one, other] = [await aPartner(test), await aPartner(test)]
    const elsewhere = await startTestApp({ database: { ...test.database, drop: () => Promise.resolve() } })
    elsewhere.clock.set(test.clock.now().toISOString())
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, nth) =>
        createPayout(nth % 2 === 0 ? test : elsewhere, nth % 3 === 0 ? one : other, { amount_gbp: '2.00' }),
      ),
    )
    expect(new Set(replies.map((reply) => reply.statusCode))).toEqual(new Set([201]))
    test.clock.advance(60_000)
    elsewhere.clock.advance(60_000)
    await Promise.all([test.follow(), elsewhere.follow()])
    await elsewhere.close()
    const counts = await Promise.all(
      [one, other].map(async ({ id }) =>
        sumPayouts(test.deps.db, { partnerId: id, environment: 'sandbox' }, NO_CRITERIA),
      ),
    )
    expect(counts.map((sums) => sums.map(({ status, count }) => [status, count]))).toEqual([
      [['completed', 20]],
      [['completed', 40]],
    ])
  })
})

describe('books that bench/fill has loaded', () => {
  const FILL = join(import.meta.dirname, '../../../../bench/fill/fill.mjs')
  type Fill = (asked: {
    url: string
    partnerId: string
    count: number
    londonMonth: typeof londonMonth
    progress: () => void
  }) => Promise<void>

  it('are right, and so is every sum', async () => {
    const { id } = await aPartner(test, { usdc: '900000.00' })
    const { fill } = (await import(pathToFileURL(FILL).href)) as { fill: Fill }
    await fill({ url: test.database.ownerUrl, partnerId: id, count: 1_500, londonMonth, progress: () => undefined })
    const filled = { partnerId: id, environment: 'sandbox' } as const
    expect(await findRollupBreaks(test.deps.reports, filled)).toEqual([])
    expect(await findBreaks(test.owner)).toEqual([])
    const counts = (await sumPayouts(test.deps.db, filled, NO_CRITERIA)).map(({ status, count }) => [status, count])
    expect(Object.fromEntries(counts)).toEqual({ processing: 100, returned: 14, completed: 1_386 })
  })
})
