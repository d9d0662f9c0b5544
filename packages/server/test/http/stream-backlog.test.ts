// Streams that go on after an event of long ago.
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

import { OneAfterAnother } from '../../src/core/one-after-another.ts'
import { openEventStream } from '../../src/http/routes/event-stream.ts'
import { streamEvents } from '../../src/http/routes/streamed-events.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout, sql } from '../support/fixtures.ts'

let test: TestApp
let partner: TestPartner
let total: number
beforeAll(async () => {
  test = await startTestApp()
  partner = await aPartner(test)
  await Promise.all(Array.from({ length: 110 }, () => createPayout(test, partner)))
  total = (await sql(test, 'select 1 from events where partner_id = $1', [partner.id])).length
})
afterAll(() => test.close())

/** A clock on which reading a page takes ten milliseconds, and a pause lasts until somebody ends it. */
function aSlowClock() {
  const order: string[] = []
  const pauses: (() => void)[] = []
  let ms = 0
  const clock = {
    now: () => test.clock.now(),
    elapsedMs: () => (ms += 10),
    pause: (milliseconds: number) => {
      order.push(`pause of ${milliseconds} ms`)
      return new Promise<void>((resolve) => pauses.push(resolve))
    },
  }
  return { clock, order, pauses }
}

it('are read one page at a time, and after a full page others come first for four times as long', async () => {
  const { clock, order, pauses } = aSlowClock()
  const pages = new OneAfterAnother()
  const scope = { partnerId: partner.id, environment: 'sandbox' } as const
  const counts = ['one', 'other'].map((name) => {
    const reports: typeof test.deps.reports = {
      ...test.deps.reports,
      query: (statement, values) => {
        if (statement.name.startsWith('list_events')) order.push(`${name} reads`)
        return test.deps.reports.query(statement, values)
      },
    }
    const stream = openEventStream({ isStillAllowed: () => Promise.resolve(true), onEnd: () => undefined })
    let text = ''
    stream.body.on('data', (more: Buffer) => (text += more.toString()))
    streamEvents({ ...test.deps, clock, reports }, { scope, from: 0n, stream, pages }).wake()
    return { stream, count: () => text.match(/^id: /gm)?.length ?? 0 }
  })
  const full = Math.floor(total / 100)
  for (let page = 0; page < 2 * full; page++) {
    await vi.waitUntil(() => pauses.length > page, { timeout: 10_000 })
    expect(order).toHaveLength(2 * (page + 1))
    pauses[page]!()
  }
  await expect.poll(() => counts.map(({ count }) => count()), { timeout: 10_000 }).toEqual([total, total])
  const round = ['one reads', 'pause of 40 ms', 'other reads', 'pause of 40 ms']
  expect(order).toEqual([...Array.from({ length: full }, () => round).flat(), 'one reads', 'other reads'])
  for (const { stream } of counts) stream.end()
})
