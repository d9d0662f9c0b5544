import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, get } from '../support/fixtures.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

/** One in 2,600 is rare. */
async function manyEntries({ id }: TestPartner, count: number): Promise<void> {
  const text = `insert into activity (partner_id, at, id, environment, action, status, by)
    select $1, $2::timestamptz - n * interval '1 second', gen_random_uuid(), 'sandbox',
           case when n % 2600 = 0 then 'rare.one' else 'common.one' end, 200, 'somebody'
      from generate_series(1, $3::int) n`
  await test.owner.query({ name: '', text }, [id, test.clock.now(), count])
}

describe('an export of the log', () => {
  it('comes to the end, however little of it fits', async () => {
    const many = await aPartner(test)
    await manyEntries(many, 5_200)
    const rows = async (query: string) =>
      (await get(test, many, `/v1/activity/export.csv?${query}`)).body.trim().split('\r\n').length - 1
    expect(await rows('action=rare.one')).toBe(2)
    expect(await rows('by=somebody')).toBe(5_200)
    expect(await rows('by=nobody')).toBe(0)
  })

  it('is read a hundred entries at a time, and by two questions per 5,000 that do not fit', async () => {
    const many = await aPartner(test)
    await manyEntries(many, 5_200)
    const sizes: number[] = []
    const query = test.deps.reports.query.bind(test.deps.reports)
    const spy = vi.spyOn(test.deps.reports, 'query').mockImplementation(async (statement, values) => {
      const found = await query(statement, values)
      sizes.push(found.length)
      return found
    })
    const asked = async (filter: string) => {
      sizes.length = 0
      await get(test, many, `/v1/activity/export.csv?${filter}`)
      return [...sizes]
    }
    expect(await asked('action=rare.one')).toEqual([1, 1, 1, 0])
    expect(await asked('by=somebody')).toEqual([...Array<number>(52).fill(100), 0, 0])
    spy.mockRestore()
  })
})
