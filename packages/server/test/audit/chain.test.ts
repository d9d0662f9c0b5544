// The audit log's chains: every way to change what was written is found, and the first entry that differs is named.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { entryHash, linkHash } from '../../src/core/audit-chain.ts'
import { backfillChains, createSealer } from '../../src/domain/audit/seal-activity.ts'
import { signHeads } from '../../src/domain/audit/sign-heads.ts'
import { keptSinceOf } from '../../src/domain/audit/verify-all.ts'
import { forgetOldLinks } from '../../src/domain/audit/forget-links.ts'
import { readChain, readLinks } from '../../src/storage/audit-chains.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { commandsOn } from '../support/commands.ts'
import { aPartner, createPayout, get } from '../support/fixtures.ts'
import { aSealedLog, addEntries, seal, tamper, verify } from './a-log.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const DAY_MS = 86_400_000
const whole = { problems: 0, found: [] }
const kestrel = (...args: string[]) =>
  commandsOn(test, { baseUrl: 'http://127.0.0.1:1/v0', apiKey: 'sk-test' })(...args)

describe('a log that nobody has changed', () => {
  it('is whole: requests, operators and payouts, each entry in one chain', async () => {
    const partner = await aPartner(test)
    await createPayout(test, partner)
    await get(test, partner, '/v1/balance')
    await test.deps.activity.flush()
    expect(await verify(test, partner.id)).toMatchObject({ ...whole, entries: 0, waiting: 2 })
    await seal(test)
    expect(await verify(test, partner.id)).toMatchObject({ ...whole, entries: 2, waiting: 0, chains: 1 })
  })

  it('goes on where it ended, with one link per entry, whatever its text', async () => {
    const partner = await aSealedLog(test, 3)
    await addEntries(test, partner.id, 2)
    await seal(test)
    await seal(test)
    const links = await readLinks(
      test.owner,
      { partnerId: partner.id, chain: 'sandbox' },
      { after: 0, upTo: 99, most: 99 },
    )
    expect(links.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5])
    expect(await verify(test, partner.id)).toMatchObject({ ...whole, entries: 5 })
  })

  it('is verified by the command, which says what it looked at', async () => {
    const partner = await aSealedLog(test, 3)
    expect(await kestrel('audit', 'verify', '--partner', partner.slug)).toEqual({
      partners: 1,
      chains: 1,
      entries: 3,
      waiting: 0,
      problems: 0,
      shown: [],
    })
  })
})

describe('a log that somebody has changed past the service', () => {
  const DAMAGES: readonly [string, string, number | null, RegExp][] = [
    ['changed', `update activity set by = 'nobody' where partner_id = $1 and id = $2`, 3, /^this entry was changed$/],
    ['removed', `delete from activity where partner_id = $1 and id = $2`, 3, /^this entry was removed$/],
    [
      'removed with its link',
      `with gone as (delete from activity where partner_id = $1 and id = $2)
       delete from activity_links where partner_id = $1 and id = $2`,
      3,
      /removed, with its link/,
    ],
    [
      'put in',
      `insert into activity (partner_id, at, id, environment, action, by)
       select partner_id, at, gen_random_uuid(), environment, action, by from activity where partner_id = $1 and id = $2`,
      null,
      /in no chain/,
    ],
    [
      'reordered',
      `update activity_links set position = case when id = $2 then 90 else 3 end
        where partner_id = $1 and (id = $2 or position = 4)`,
      3,
      /changed or put elsewhere/,
    ],
    [
      'dated back',
      `update activity_links set sealed_at = sealed_at - interval '1 day' where partner_id = $1 and id = $2`,
      3,
      /link/,
    ],
    [
      'cut off at its end',
      `with gone as (delete from activity where partner_id = $1 and at >= (select at from activity where partner_id = $1 and id = $2))
       delete from activity_links where partner_id = $1 and position >= 3`,
      3,
      /and all after it, up to 5, were removed/,
    ],
  ]

  for (const [name, text, position, wrong] of DAMAGES) {
    it(`${name}: it is found`, async () => {
      const partner = await aSealedLog(test, 5)
      await tamper(test, text, [partner.id, partner.ids[2]])
      const { found, problems } = await verify(test, partner.id)
      expect(problems).toBeGreaterThan(0)
      expect(found[0]).toMatchObject({ position, wrong: expect.stringMatching(wrong) as string })
    })
  }

  it('removed whole, with its chain: its signed heads tell', async () => {
    const partner = await aSealedLog(test, 3)
    await signHeads(test.deps)
    for (const table of ['activity', 'activity_links', 'audit_chains']) {
      await tamper(test, `delete from ${table} where partner_id = $1`, [partner.id])
    }
    expect((await verify(test, partner.id)).found).toMatchObject([{ wrong: 'the whole chain was removed' }])
  })

  it('its first entries called forgotten: it is found where no month is', async () => {
    const partner = await aSealedLog(test, 5)
    await tamper(
      test,
      `update audit_chains c set forgotten = 2, forgotten_hash = l.hash from activity_links l
        where c.partner_id = $1 and l.partner_id = $1 and l.position = 2`,
      [partner.id],
    )
    for (const table of ['activity_links', 'activity']) {
      await tamper(test, `delete from ${table} where partner_id = $1 and id = any($2)`, [
        partner.id,
        partner.ids.slice(0, 2),
      ])
    }
    expect((await verify(test, partner.id)).found).toMatchObject([
      { position: 1, wrong: expect.stringMatching(/up to 2 were removed/) as string },
    ])
  })

  it('so that nothing can be added to it: the others are linked all the same, and the failure is told', async () => {
    const [broken, sound] = [await aSealedLog(test, 3), await aSealedLog(test, 1)]
    await tamper(test, 'update audit_chains set position = 2 where partner_id = $1', [broken.id])
    for (const { id } of [broken, sound]) await addEntries(test, id, 1)
    await expect(createSealer(test.deps)()).rejects.toThrow(/activity_links/)
    expect(await verify(test, sound.id)).toMatchObject({ entries: 2, waiting: 0 })
    await tamper(test, 'update audit_chains set position = 3 where partner_id = $1', [broken.id])
    await seal(test)
    expect(await verify(test, broken.id)).toMatchObject({ entries: 4, problems: 0 })
  })

  it('the command names it and says so by its exit', async () => {
    const partner = await aSealedLog(test, 4)
    await tamper(test, `update activity set detail = 'other' where partner_id = $1 and id = $2`, [
      partner.id,
      partner.ids[1],
    ])
    expect(await kestrel('audit', 'verify', '--partner', partner.slug)).toMatchObject({
      problems: 1,
      shown: [
        { partner: partner.slug, chain: 'sandbox', position: 2, id: partner.ids[1], wrong: 'this entry was changed' },
      ],
    })
  })

  it('entries and links of two businesses, exchanged: each is found', async () => {
    const [one, other] = [await aSealedLog(test, 3), await aSealedLog(test, 3)]
    const move = (table: string, set: string, id: string) =>
      tamper(test, `update ${table} set ${set} where id = '${id}'`)
    await move('activity', `partner_id = '${other.id}'`, one.ids[1]!)
    await move('activity', `partner_id = '${one.id}'`, other.ids[1]!)
    await move('activity_links', `partner_id = '${other.id}', position = 77`, one.ids[1]!)
    await move('activity_links', `partner_id = '${one.id}'`, other.ids[1]!)
    await move('activity_links', 'position = 2', one.ids[1]!)
    for (const { id } of [one, other]) {
      expect((await verify(test, id)).found).toMatchObject([
        { position: 2, wrong: expect.stringMatching(/link/) as string },
      ])
    }
  })
})

/** What somebody with the whole database, and without the keys, can do: change an entry and make all links anew. */
async function rewrite(partnerId: string, from: number): Promise<void> {
  const chain = { partnerId, chain: 'sandbox' } as const
  await tamper(
    test,
    `update activity set by = 'nobody' where partner_id = $1 and id =
    (select id from activity_links where partner_id = $1 and chain = 'sandbox' and position = $2)`,
    [partnerId, from],
  )
  const links = await readLinks(test.owner, chain, { after: from - 1, upTo: 1e9, most: 1_000 })
  const before = await readLinks(test.owner, chain, { after: from - 2, upTo: from - 1, most: 1 })
  let hash = before[0]?.hash ?? Buffer.alloc(32)
  for (const link of links) {
    const own = { ...link, entryHash: entryHash(link) }
    hash = linkHash(chain, own, hash)
    await tamper(
      test,
      `update activity_links set entry_hash = $3, hash = $4 where partner_id = $1 and chain = 'sandbox' and position = $2`,
      [partnerId, link.position, own.entryHash, hash],
    )
  }
  await tamper(test, `update audit_chains set hash = $2 where partner_id = $1 and chain = 'sandbox'`, [partnerId, hash])
}

describe('a signed head', () => {
  it('is signed once a day if the chain has grown, also by two workers at once', async () => {
    const partner = await aSealedLog(test, 3)
    await Promise.all([signHeads(test.deps), signHeads(test.deps), signHeads(test.deps)])
    await addEntries(test, partner.id, 1)
    await seal(test)
    await signHeads(test.deps)
    const count = () => tamper(test, 'select count(*)::int from audit_heads where partner_id = $1', [partner.id])
    expect(await count()).toEqual([{ count: 1 }])
    test.clock.advance(DAY_MS)
    await Promise.all([signHeads(test.deps), signHeads(test.deps)])
    test.clock.advance(DAY_MS)
    await signHeads(test.deps)
    expect(await count()).toEqual([{ count: 2 }])
    expect(await verify(test, partner.id)).toMatchObject({ ...whole, entries: 4 })
  })

  it('finds a second history: all links made anew after an entry was replaced', async () => {
    const partner = await aSealedLog(test, 3)
    await signHeads(test.deps)
    await addEntries(test, partner.id, 3)
    await seal(test)
    await rewrite(partner.id, 5)
    // After the head: only the next signature, or a head that the partner kept, can tell.
    expect(await verify(test, partner.id)).toMatchObject(whole)
    await rewrite(partner.id, 2)
    expect((await verify(test, partner.id)).found).toMatchObject([
      { position: 3, wrong: expect.stringMatching(/is of another history/) as string },
    ])
  })

  it('finds an end that was cut off together with the record of it', async () => {
    const partner = await aSealedLog(test, 5)
    await signHeads(test.deps)
    await tamper(test, 'delete from activity where partner_id = $1 and id = any ($2)', [
      partner.id,
      partner.ids.slice(3),
    ])
    await tamper(test, 'delete from activity_links where partner_id = $1 and position > 3', [partner.id])
    await tamper(
      test,
      `update audit_chains set position = 3, signed_position = 3, hash =
         (select hash from activity_links where partner_id = $1 and position = 3) where partner_id = $1`,
      [partner.id],
    )
    expect((await verify(test, partner.id)).found).toMatchObject([
      { position: 4, wrong: 'this entry and all after it, up to 5, were removed' },
    ])
  })

  it.each(['signature', 'hash'])('with one bit of its %s turned is nobody’s', async (column) => {
    const partner = await aSealedLog(test, 2)
    await signHeads(test.deps)
    await tamper(
      test,
      `update audit_heads set ${column} = set_bit(${column}, 17, 1 - get_bit(${column}, 17)) where partner_id = $1`,
      [partner.id],
    )
    expect((await verify(test, partner.id)).found).toMatchObject([
      { wrong: expect.stringMatching(/not signed by a key/) as string },
    ])
  })
})

describe('sealing', () => {
  it('reaches every chain, although those before it grow all the time and fill each round', async () => {
    const busy = [await aPartner(test), await aPartner(test), await aPartner(test)]
    const quiet = await aPartner(test)
    await addEntries(test, quiet.id, 1)
    const sealSome = createSealer(test.deps, { mostChains: 2 })
    for (let round = 0; round < 6; round++) {
      for (const { id } of busy) await addEntries(test, id, 1)
      await sealSome()
    }
    expect(await verify(test, quiet.id)).toMatchObject({ entries: 1, waiting: 0 })
    await seal(test)
  })

  it('by many workers at once, while entries come: one chain, no entry twice and none left out', async () => {
    const partner = await aPartner(test)
    const writing = Array.from({ length: 20 }, () => addEntries(test, partner.id, 25))
    const sealing = Array.from({ length: 8 }, () => seal(test))
    await Promise.all([...writing, ...sealing])
    await seal(test)
    expect(await verify(test, partner.id)).toMatchObject({ ...whole, entries: 500, waiting: 0 })
  })

  it('takes what was written before there were chains, also while it is sealed, and says when that was', async () => {
    const partner = await aPartner(test)
    const old = new Date(test.clock.now().getTime() - 40 * DAY_MS)
    const ids = await addEntries(test, partner.id, 30, old)
    // As the migration leaves it.
    await tamper(test, 'delete from activity_waiting where partner_id = $1', [partner.id])
    await tamper(test, 'insert into audit_backfills (partner_id) values ($1)', [partner.id])
    expect(await verify(test, partner.id)).toMatchObject({ ...whole, waiting: 30 })
    await addEntries(test, partner.id, 2)
    await seal(test)
    while (await backfillChains(test.deps)) await Promise.all([seal(test), seal(test)])
    await seal(test)
    expect(await verify(test, partner.id)).toMatchObject({ ...whole, entries: 32, waiting: 0 })
    const links = await readLinks(
      test.owner,
      { partnerId: partner.id, chain: 'sandbox' },
      { after: 0, upTo: 99, most: 99 },
    )
    const first = links.find(({ id }) => id === ids[0])!
    expect(first.sealedAt.getTime() - first.at.getTime()).toBeGreaterThan(39 * DAY_MS)
  })
})

describe('months that are forgotten', () => {
  it('take their links with them, and the chain begins after them; what is missing otherwise is still found', async () => {
    const partner = await aPartner(test)
    const chain = { partnerId: partner.id, chain: 'sandbox' } as const
    const now = new Date()
    const old = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 5, 10))
    const ids = await addEntries(test, partner.id, 3, old)
    const later = await addEntries(test, partner.id, 3, now)
    await seal(test)
    await signHeads(test.deps)
    const keptSince = keptSinceOf(now, 4)
    // The month is not gone yet: nothing is forgotten.
    expect(await forgetOldLinks(test.deps, 4)).toBe(0)
    await tamper(test, 'delete from activity where partner_id = $1 and id = any ($2)', [partner.id, ids])
    expect(await verify(test, partner.id, keptSince)).toMatchObject({ ...whole, entries: 6 })
    expect((await verify(test, partner.id)).found).toMatchObject([{ position: 1, wrong: 'this entry was removed' }])
    expect(await forgetOldLinks(test.deps, 4)).toBe(3)
    expect(await readChain(test.owner, chain)).toMatchObject({ forgotten: 3, position: 6 })
    expect(await verify(test, partner.id, keptSince)).toMatchObject({ ...whole, entries: 3 })
    await tamper(test, 'delete from activity where partner_id = $1 and id = $2', [partner.id, later[0]])
    expect(await forgetOldLinks(test.deps, 4)).toBe(0)
    expect((await verify(test, partner.id, keptSince)).found).toMatchObject([
      { position: 4, wrong: 'this entry was removed' },
    ])
  })
})
