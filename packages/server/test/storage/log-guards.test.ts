// What the log's tables refuse by themselves: an entry of nobody, a link in no chain, and that what they belong to goes away.
import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { aSealedLog } from '../audit/a-log.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { untilOneWaits } from '../support/until-one-waits.ts'
import type { TestPartner } from '../support/fixtures.ts'
import { type Owner, ownerOf } from './owner.ts'

let test: TestApp
let owner: Owner
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
  owner = await ownerOf(test.database.url)
  partner = await aSealedLog(test, 2)
})
afterAll(async () => {
  await owner.end()
  await test.close()
})

const ENTRIES = `insert into activity (partner_id, at, id, environment, action, by)
  select of, now(), gen_random_uuid(), 'sandbox', 'balance.read', 'kp_x' from unnest($1::uuid[]) of`
const LINK = `insert into activity_links (partner_id, chain, position, at, id, form, sealed_at, entry_hash, hash)
  select $1, $2, $3, now(), gen_random_uuid(), 1, now(), hash, hash from audit_chains where partner_id = $4 limit 1`
const NEW_PARTNER = `insert into partners (id, slug, name, created_at) values ($1, $2, 'Short-lived', now())`
const aNewPartner = async () => {
  const id = randomUUID()
  await owner.query(NEW_PARTNER, [id, `short-${id.slice(0, 8)}`])
  return id
}

describe('an entry of the log', () => {
  it('belongs to a partner that exists, each of a batch', async () => {
    const refusal = await owner.refusal(ENTRIES, [[partner.id, randomUUID()]])
    expect(refusal).toMatchObject({
      code: '23503',
      message: expect.stringMatching(/needs a partner that exists/) as string,
    })
    await owner.rolledBack(() => owner.query(ENTRIES, [[partner.id, partner.id]]))
  })

  it('keeps its partner where it is', async () => {
    expect(await owner.refusal('delete from partners where id = $1', [partner.id])).toMatchObject({ code: '23503' })
    const renamed = await owner.refusal('update partners set id = gen_random_uuid() where id = $1', [partner.id])
    expect(renamed).toMatchObject({ code: '23503' })
    // Of this one there is the log and nothing else.
    const other = await aNewPartner()
    await owner.query(ENTRIES, [[other]])
    for (const change of ['delete from partners', 'update partners set id = gen_random_uuid()']) {
      expect(await owner.refusal(`${change} where id = $1`, [other])).toMatchObject({
        code: '23503',
        message: expect.stringMatching(/^a partner stays with its log/) as string,
      })
    }
  })

  it('of a partner who is being deleted is refused; one that comes first keeps its partner', async () => {
    const writer = await ownerOf(test.database.url)
    const [early, late] = [await aNewPartner(), await aNewPartner()]
    const settled = (asked: Promise<unknown>) =>
      asked.then(
        () => 'done',
        (error: { code: string }) => error.code,
      )
    try {
      await owner.query('begin')
      await owner.query(ENTRIES, [[early]])
      const deleted = settled(writer.query('delete from partners where id = $1', [early]))
      await untilOneWaits(test)
      await owner.query('commit')
      expect(await deleted).toBe('23503')
      await owner.query('begin')
      await owner.query('delete from partners where id = $1', [late])
      const written = settled(writer.query(ENTRIES, [[late]]))
      await untilOneWaits(test)
      await owner.query('commit')
      expect(await written).toBe('23503')
    } finally {
      await writer.end()
    }
  })
})

describe('a link of the log', () => {
  it('belongs to a chain that exists', async () => {
    const refusal = await owner.refusal(LINK, [partner.id, 'live', 1, partner.id])
    expect(refusal).toMatchObject({
      code: '23503',
      message: expect.stringMatching(/needs a chain that exists/) as string,
    })
    await owner.rolledBack(() => owner.query(LINK, [partner.id, 'sandbox', 99, partner.id]))
  })

  it('keeps its chain where it is', async () => {
    for (const change of ['delete from audit_chains', `update audit_chains set chain = 'live'`]) {
      expect(await owner.refusal(`${change} where partner_id = $1`, [partner.id])).toMatchObject({
        code: '23503',
        message: expect.stringMatching(/^a chain stays with its links/) as string,
      })
    }
  })
})
