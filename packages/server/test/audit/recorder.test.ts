// What the recorder of traces makes of a database that takes none: what can be written later is kept, and nothing is tried in vain.
import { afterAll, beforeAll, expect, it } from 'vitest'

import { newId } from '../../src/core/ids.ts'
import { createActivityRecorder } from '../../src/domain/activity/activity-recorder.ts'
import type { Database } from '../../src/storage/sql.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { aPartner, sql } from '../support/fixtures.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const aTrace = (partnerId: string, detail: string | null = null) => {
  const at = test.clock.now()
  const id = newId(at)
  const caller = { keyId: null, by: 'x', environment: null, request: null }
  return { partnerId, id, at, action: 'usage.read', status: 200, detail, ...caller }
}
const entriesOf = async (partnerId: string) =>
  (await sql<{ id: string }>(test, 'select id from activity where partner_id = $1', [partnerId])).length

interface Watched {
  tries: number
  readonly dropped: number[]
  /** From this try on there is no database. */
  awayFrom: number
}

function watched() {
  const seen: Watched = { tries: 0, dropped: [], awayFrom: Infinity }
  const inTransaction: Database['inTransaction'] = (work) => {
    const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    return ++seen.tries >= seen.awayFrom ? Promise.reject(away) : test.deps.db.inTransaction(work)
  }
  const recorder = createActivityRecorder({ inTransaction }, (_, count) => seen.dropped.push(count))
  return { seen, recorder }
}

it('tries nothing more once the database is away, and writes it when it is back', async () => {
  const partners = [await aPartner(test), await aPartner(test), await aPartner(test)]
  const { seen, recorder } = watched()
  for (const { id } of partners) {
    for (let count = 0; count < 20; count++) recorder.record(aTrace(id))
    recorder.record(aTrace(id, 'a\0b'))
  }
  // All together, those of the first, and five of them one by one.
  seen.awayFrom = 8
  await recorder.flush()
  expect(seen.tries).toBe(8)
  expect(seen.dropped).toEqual([0])
  seen.awayFrom = Infinity
  await recorder.close()
  expect(seen.dropped.reduce((sum, count) => sum + count, 0)).toBe(3)
  expect(await Promise.all(partners.map(({ id }) => entriesOf(id)))).toEqual([20, 20, 20])
})

it('keeps what is refused for a reason that passes, such as a right that it has not been given yet', async () => {
  const partner = await aPartner(test)
  const { seen, recorder } = watched()
  const role = decodeURIComponent(new URL(test.database.url).username)
  await test.owner.query({ name: '', text: `revoke insert on activity from "${role}"` })
  try {
    for (let count = 0; count < 5; count++) recorder.record(aTrace(partner.id))
    await recorder.flush()
  } finally {
    await test.owner.query({ name: '', text: `grant insert on activity to "${role}"` })
  }
  await recorder.close()
  expect(await entriesOf(partner.id)).toBe(5)
  expect(seen.dropped).toEqual([0])
})

it('writes a trace without its bodies at once where those cannot be kept, also while the program ends', async () => {
  const partner = await aPartner(test)
  const { seen, recorder } = watched()
  const nothing = { subjectId: null, query: null, headers: null }
  const request = { requestBody: null, requestBytes: null, requestLeftOut: null, isRequestCut: false }
  const answer = { answerBody: null, answerBytes: null, answerLeftOut: null, isAnswerCut: false }
  const bodies = { ...nothing, ...request, ...answer, idempotencyKey: 'a\0b' }
  recorder.record({ ...aTrace(partner.id), bodies: () => bodies })
  await recorder.close()
  expect(await entriesOf(partner.id)).toBe(1)
  expect(seen.dropped).toEqual([0])
})

it('notes when a key was last used also for reads that are only counted, and after the database was away', async () => {
  const partner = await aPartner(test)
  const keyIn = 'select id, last_used_at as at from api_keys where partner_id = $1'
  const [key] = await sql<{ id: string }>(test, keyIn, [partner.id])
  const { seen, recorder } = watched()
  const request = { method: 'GET', path: '/v1/balance', durationMs: 1, ip: '203.0.113.7' }
  const aRead = () => ({ ...aTrace(partner.id), keyId: key!.id, request })
  for (let count = 0; count < 300; count++) recorder.record(aRead())
  await recorder.flush()
  test.clock.advance(1_000)
  const last = aRead()
  recorder.record(last)
  seen.awayFrom = 0
  await recorder.flush()
  seen.awayFrom = Infinity
  await recorder.close()
  expect(await sql(test, keyIn, [partner.id])).toEqual([{ id: key!.id, at: last.at }])
  expect(await entriesOf(partner.id)).toBe(301)
})

it('notes when a key was last used once in a while, however often it writes, and at the end', async () => {
  const partner = await aPartner(test)
  const keyIn = 'select id, last_used_at as at from api_keys where partner_id = $1'
  const [key] = await sql<{ id: string }>(test, keyIn, [partner.id])
  const { recorder } = watched()
  const uses = async () => (await sql<{ at: Date }>(test, keyIn, [partner.id]))[0]!.at
  const [first, second] = [
    aTrace(partner.id),
    { ...aTrace(partner.id), at: new Date(test.clock.now().getTime() + 1_000) },
  ]
  recorder.record({ ...first, keyId: key!.id })
  await expect.poll(uses, { timeout: 10_000 }).toEqual(first.at)
  recorder.record({ ...second, keyId: key!.id })
  await expect.poll(() => entriesOf(partner.id), { timeout: 10_000 }).toBe(2)
  expect(await uses()).toEqual(first.at)
  await recorder.close()
  expect(await uses()).toEqual(second.at)
})
