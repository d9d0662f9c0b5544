// Months are London's, whoever reckons: the program, the database, and the real process in any time zone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { after } from '../../src/core/clock.ts'
import { newId } from '../../src/core/ids.ts'
import { type Month, londonMidnight, londonMonth, nextMonth } from '../../src/core/london-month.ts'
import { exactly, pence } from '../../src/core/money.ts'
import { insertCharges } from '../../src/storage/charges.ts'
import { lockWallet } from '../../src/storage/ledger.ts'
import { type Home, aHome } from '../process/program.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, get, inLive, sql } from '../support/fixtures.ts'
import { aLiveBank, chargesOf, paid } from './live-bank.ts'

const MONTHS = Array.from({ length: 36 }).reduce<Month[]>(
  (months) => [...months, nextMonth(months.at(-1)!)],
  ['2026-01' as Month],
)
/** The last Sundays of March and October at 01:00 UTC, by the calendar. */
const CLOCK_CHANGES = ['2026-03-29', '2026-10-25', '2027-03-28', '2027-10-31', '2028-03-26', '2028-10-29'].map(
  (day) => new Date(`${day}T01:00:00Z`),
)

describe('a payout that completes', () => {
  let test: TestApp
  let live: TestPartner
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    test = await startTestApp({ liveRail: aLiveBank(() => test.clock.now()) })
    test.clock.set('2026-01-10T12:00:00Z')
    live = await inLive(test, await aPartner(test), '5000.00')
  })
  afterAll(async () => {
    await test.close()
    vi.useRealTimers()
  })

  it.each([
    { at: '2026-06-30T22:59:59.999Z', month: '2026-06' },
    { at: '2026-06-30T23:00:00.000Z', month: '2026-07' },
    { at: '2026-06-30T23:30:00.000Z', month: '2026-07' },
    { at: '2027-10-31T23:59:59.999Z', month: '2027-10' },
    { at: '2027-11-01T00:00:00.000Z', month: '2027-11' },
    { at: '2028-02-29T23:59:59.999Z', month: '2028-02' },
  ])('at $at is charged, and counted, in $month', async ({ at, month }) => {
    test.clock.set(new Date(Date.parse(at) - 5_000).toISOString())
    const own = await inLive(test, await aPartner(test), '100.00')
    const id = await paid(test, own)
    const charged = (await chargesOf(test, own)).filter(({ cause }) => cause === id)
    expect(charged.map((charge) => charge.month)).toEqual([month, month])
    const usage = (await get(test, own, '/v1/usage')).json()
    expect(usage).toMatchObject({ period_start: `${month}-01`, payouts: { completed: 1 } })
  })

  it('is put into the same month by the database, at every month end and clock change of three years', async ({
    task,
  }) => {
    const edges = [
      ...MONTHS.map(londonMidnight).flatMap((start) => [-3_600_000, -1, 0, 1, 3_600_000].map((ms) => after(start, ms))),
      ...CLOCK_CHANGES.flatMap((change) => [-3_600_001, -1, 0, 3_600_000].map((ms) => after(change, ms))),
    ]
    task.meta.cases = edges.length
    // The database's own check refuses a month that is not London's.
    for (const at of edges) {
      await test.deps.db.inTransaction(async (tx) => {
        await lockWallet(tx, { partnerId: live.id, environment: 'live' })
        const charge = {
          cause: newId(at),
          kind: 'network_fees',
          amount: exactly(pence(2n)),
          cost: exactly(pence(2n)),
        } as const
        insertCharges(tx, live.id, { charges: [charge], month: londonMonth(at), at })
      })
    }
    const [{ count }] = (await sql<{ count: number }>(
      test,
      `select count(*)::int as count from charges where partner_id = $1 and kind = 'network_fees'`,
      [live.id],
    )) as [{ count: number }]
    expect(count).toBe(37 * 5 + 6 * 4)
  })
})

describe('the real process, told another time by faketime', () => {
  const PROGRAM = join(import.meta.dirname, '../../bin/kestrel.mjs')
  let faketime: string | null
  let home: Home
  beforeAll(async () => {
    const { findFaketime } = (await import(join(import.meta.dirname, '../../../../scripts/lib/find-faketime.mjs'))) as {
      findFaketime: (stream: NodeJS.WritableStream) => Promise<string | null>
    }
    ;[faketime, home] = await Promise.all([findFaketime(process.stdout), aHome()])
  })
  afterAll(() => home.leave())

  async function lastMonthAt(moment: Date, zone: string): Promise<string> {
    // It reads the wall clock of the host's zone.
    const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    const env = {
      ...home.settings,
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      TZ: zone,
      LD_PRELOAD: faketime ?? '',
      FAKETIME: `@${shown.format(moment)}`,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }
    const child = spawn(process.execPath, [PROGRAM, 'invoice', 'run', '--json'], { env })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
    await once(child, 'close')
    return /"month": "(\d{4}-\d{2})"/.exec(output)?.[1] ?? output
  }

  it('bills the month that is over in London, in four time zones', async ({ skip }) => {
    skip(faketime === null, 'there is no libfaketime for this machine')
    const midnight = londonMidnight('2026-07' as Month)
    for (const zone of ['UTC', 'Europe/London', 'Pacific/Auckland', 'America/Los_Angeles']) {
      const billed = [
        await lastMonthAt(after(midnight, -60_000), zone),
        await lastMonthAt(after(midnight, 60_000), zone),
      ]
      expect({ zone, billed }).toEqual({ zone, billed: ['2026-05', '2026-06'] })
    }
  })
})
