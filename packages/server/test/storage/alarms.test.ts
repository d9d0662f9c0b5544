// An alarm is a row until somebody has dealt with it, however often it rings and whoever rings it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { newId } from '../../src/core/ids.ts'
import { readWatch } from '../../src/domain/watch/read-watch.ts'
import { forgetOldAlarms } from '../../src/domain/watch/tidy-alarms.ts'
import { type AlarmRow, closeAlarm, listAlarms, ringAlarms } from '../../src/storage/alarms.ts'
import { type Instance, anotherInstance } from '../races/instances.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { sql } from '../support/fixtures.ts'
import { PATIENT, ownerOf } from './owner.ts'

const WAITING = `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

let test: TestApp
let second: Instance
beforeAll(async () => {
  test = await startTestApp()
  second = await anotherInstance(test)
})
afterAll(async () => {
  await second.close()
  await test.close()
})

const alarms = async (what: string, withClosed = false): Promise<AlarmRow[]> =>
  (await listAlarms(test.deps.db, { withClosed, most: 1_000 })).filter((alarm) => alarm.what === what)
const settled = () => Promise.all([test.deps.alarms.settled(), second.deps.alarms.settled()])

describe('an alarm', () => {
  it('that rings in two processes at once is one row that counts', async () => {
    for (let time = 0; time < 20; time++) {
      test.deps.onAlarm('the rail threw', { payoutId: 'p-1', partnerId: 'a' })
      second.deps.onAlarm('the rail threw', { partnerId: 'a', payoutId: 'p-1' })
      if (time === 10) await settled()
    }
    await settled()
    expect(await alarms('the rail threw')).toMatchObject([{ count: 40n, about: { partnerId: 'a', payoutId: 'p-1' } }])
  })

  it('about something else is another row', async () => {
    test.deps.onAlarm('a refund is not there after a day', { payoutId: 'p-1' })
    test.deps.onAlarm('a refund is not there after a day', { payoutId: 'p-2' })
    await settled()
    expect(await alarms('a refund is not there after a day')).toHaveLength(2)
  })

  it('keeps ids, words and numbers, and no sentence, error or object', async () => {
    const about = {
      payoutId: '01a1dfce-0000-7000-8000-000000000000',
      count: 3,
      amount: 25n,
      why: 'refused by mx.example for somebody',
      address: 'amara@elsewhere.example',
      err: new Error('secret'),
      recipient: { account_number: '12345678' },
    }
    test.deps.onAlarm('an invoice could not be mailed', about)
    await settled()
    const [alarm] = await alarms('an invoice could not be mailed')
    expect(alarm!.about).toEqual({ payoutId: about.payoutId, count: 3, amount: '25' })
  })

  it('of one kind fills no more than so many rows; the rest count on one', async () => {
    for (let nth = 0; nth < 300; nth++) test.deps.onAlarm('a mail was given up', { mailId: `m-${nth}` })
    await settled()
    const rows = await alarms('a mail was given up')
    expect(rows).toHaveLength(201)
    expect(rows.find(({ about }) => about['others'] === true)).toMatchObject({ count: 100n })
  })

  it('with others of a full kind, rung by two transactions in any order, keeps neither from its end', async () => {
    const at = test.clock.now()
    const alarm = (nth: number) => ({
      id: newId(at),
      what: 'a kind of this test',
      about: { nth },
      firstSeenAt: at,
      lastSeenAt: at,
      count: 1n,
    })
    const ring = (instance: Pick<Instance, 'deps'>, ...which: number[]) =>
      instance.deps.db.inTransaction(async (tx) => ringAlarms(tx, which.map(alarm)))
    const waiting = async (count: number) => {
      await expect.poll(() => sql(test, WAITING), PATIENT).toEqual([{ count }])
    }
    await ring(test, ...Array.from({ length: 201 }, (_, nth) => nth))
    const holder = await ownerOf(test.database.url)
    await holder.query('begin')
    await holder.query(`select id from alarms where what = 'a kind of this test' and about = '{"nth": 0}' for update`)
    const rings = [ring(test, 0, 300)]
    await waiting(1)
    rings.push(ring(second, 400, 0))
    await waiting(2)
    await holder.query('rollback')
    await holder.end()
    await Promise.all(rings)
    const counted = (await alarms('a kind of this test')).filter(({ count }) => count > 1n)
    expect(counted.map(({ count }) => count)).toEqual([3n, 3n])
  })

  it('about a payout never loses its id, however many there are', async () => {
    for (let nth = 0; nth < 700; nth++) test.deps.onAlarm('a payout could not be asked about', { payoutId: `p-${nth}` })
    await settled()
    const rows = await alarms('a payout could not be asked about')
    expect(new Set(rows.map(({ about }) => about['payoutId']))).toHaveLength(700)
  })

  it('that was closed is told no more, is new when it rings again, and is forgotten after 90 days', async () => {
    test.deps.onAlarm('a payout waits for funds at the bank', { payoutId: 'p-1' })
    await settled()
    const [first] = await alarms('a payout waits for funds at the bank')
    const close = () => test.deps.db.inTransaction((tx) => closeAlarm(tx, first!.id, test.clock.now()))
    expect(await close()).toMatchObject({ what: 'a payout waits for funds at the bank' })
    expect(await close()).toBeNull()
    expect(await alarms('a payout waits for funds at the bank')).toEqual([])
    expect((await readWatch(test.deps)).alarms.map(({ what }) => what)).not.toContain(
      'a payout waits for funds at the bank',
    )
    second.deps.onAlarm('a payout waits for funds at the bank', { payoutId: 'p-1' })
    await settled()
    expect(await alarms('a payout waits for funds at the bank')).toMatchObject([{ count: 1n }])
    expect(await alarms('a payout waits for funds at the bank', true)).toHaveLength(2)
    test.clock.advance(91 * 24 * 60 * 60_000)
    await forgetOldAlarms(test.deps)
    expect(await alarms('a payout waits for funds at the bank', true)).toHaveLength(1)
  })

  it('that cannot be written down is in the log all the same, and ends nothing', async () => {
    await sql(test, 'alter table alarms rename to alarms_away')
    test.deps.onAlarm('the bank could not refund a payout', { payoutId: 'p-1' })
    await settled()
    await sql(test, 'alter table alarms_away rename to alarms')
    test.deps.onAlarm('the bank could not refund a payout', { payoutId: 'p-1' })
    await settled()
    expect(await alarms('the bank could not refund a payout')).toHaveLength(1)
  })
})

describe('the figures', () => {
  it('tell of every open alarm, by what it says', async () => {
    const reply = await test.app.inject({ url: '/metrics', headers: { host: 'localhost' } })
    expect(reply.body).toMatch(/^kestrel_alarms_open\{alarm="a mail was given up"\} 201$/m)
    expect(reply.body).toMatch(/^kestrel_database_up 1$/m)
    expect(reply.body).toMatch(/^kestrel_build_info\{version="1\.3\.0",node="v\d+[^"]*"\} 1$/m)
    expect(reply.body).toMatch(/^kestrel_database_connections\{pool="payments",state="idle"\} \d+$/m)
  })

  it('of the process still come while the tables cannot be read', async () => {
    await sql(test, 'alter table job_rounds rename to job_rounds_away')
    const reply = await test.app.inject({ url: '/metrics', headers: { host: 'localhost' } })
    await sql(test, 'alter table job_rounds_away rename to job_rounds')
    expect(reply.statusCode).toBe(200)
    expect(reply.body).toMatch(/^kestrel_database_up 0$/m)
    expect(reply.body).not.toMatch(/^kestrel_alarms_open\{/m)
  })
})
