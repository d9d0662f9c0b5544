// Entries that wait to be linked: the database notes each with its hash as it is written, so that whatever happens to it afterwards
// is found.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { entryHash } from '../../src/core/audit-chain.ts'
import { newId } from '../../src/core/ids.ts'
import { backfillChains, createLinker } from '../../src/domain/audit/seal-activity.ts'
import { type ActivityOf, insertActivity } from '../../src/storage/activity.ts'
import { type ChainId, readLinks } from '../../src/storage/audit-chains.ts'
import type { Database } from '../../src/storage/sql.ts'
import { entriesOf, readWaiting } from '../../src/storage/waiting-activity.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { untilOneWaits } from '../support/until-one-waits.ts'
import { aPartner } from '../support/fixtures.ts'
import { aSealedLog, addEntries, seal, tamper, verify } from './a-log.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const write = (entries: readonly ActivityOf[]) => test.deps.db.inTransaction(async (tx) => insertActivity(tx, entries))
const chainOf = (partnerId: string): ChainId => ({ partnerId, chain: 'sandbox' })
const linksOf = (partnerId: string) => readLinks(test.owner, chainOf(partnerId), { after: 0, upTo: 1e9, most: 10_000 })
const notesOf = (chains: readonly ChainId[]) => test.owner.inTransaction((tx) => readWaiting(tx, chains, 10_000))

describe('the hash that the database notes', () => {
  // What PostgreSQL cannot keep is refused long before; half a character is kept as a sign for it, and has no place in JSON.
  const special = ['"', '\\', '\n', '\t', '\b', '\f', '/', '\u007f', '\u2028', '🦅'] as const
  const plain = fc.integer({ min: 1, max: 0xd7_ff }).map((code) => String.fromCodePoint(code))
  const whole = fc.string({ unit: fc.oneof(fc.constantFrom(...special), plain) })
  const text = fc.string({ unit: fc.oneof(fc.constantFrom(...special, '\ud83d'), plain) })
  const maybe = fc.option(text)
  const entry = fc.record({
    action: text,
    status: fc.option(fc.integer({ min: 100, max: 599 })),
    by: text,
    detail: maybe,
    byName: maybe,
    keyId: fc.option(fc.uuid()),
    environment: fc.constantFrom('sandbox' as const, 'live' as const, null),
    audited: fc.option(
      fc.record({
        subject: maybe,
        changes: fc.array(fc.record({ field: whole, before: fc.option(whole), after: fc.option(whole) }), {
          maxLength: 3,
        }),
      }),
    ),
    request: fc.option(fc.record({ method: text, path: text, durationMs: fc.nat(1_000_000), ip: text })),
  })

  it('is the one that is verified, whatever an entry says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 40 }), async (drawn) => {
        const partner = await aPartner(test)
        const at = test.clock.now()
        await write(drawn.map((each) => ({ ...each, partnerId: partner.id, id: newId(at), at })))
        await seal(test)
        expect(await verify(test, partner.id)).toMatchObject({
          problems: 0,
          found: [],
          entries: drawn.length,
          waiting: 0,
        })
      }),
      { numRuns: 25 },
    )
  })

  it('is of an entry to the millisecond, also where the table has its microseconds', async () => {
    const partner = await aPartner(test)
    await test.owner.query(
      {
        name: '',
        text: `insert into activity (partner_id, at, id, environment, action, by)
               select $1, '2026-03-29T01:59:59.9996Z'::timestamptz + n * interval '1 microsecond', gen_random_uuid(), 'sandbox', 'key.change', 'x'
                 from generate_series(0, 9) n`,
      },
      [partner.id],
    )
    await seal(test)
    expect(await verify(test, partner.id)).toMatchObject({ problems: 0, entries: 10, waiting: 0 })
    const [first] = await linksOf(partner.id)
    expect(first!.at.toISOString()).toBe('2026-03-29T01:59:59.999Z')
  })
})

describe('entries that are written together', () => {
  it('are noted by their chains, 250 in a row, in their order', async () => {
    const [one, other] = [await aPartner(test), await aPartner(test)]
    const at = test.clock.now().getTime()
    const entryAt = (partnerId: string, nth: number) => ({
      partnerId,
      id: newId(new Date(at)),
      at: new Date(at - nth),
      environment: nth % 5 === 0 ? ('live' as const) : ('sandbox' as const),
      action: 'key.change',
      status: 200,
      by: 'x',
      detail: null,
      keyId: null,
      request: null,
    })
    const written = Array.from({ length: 1_000 }, (_, nth) => entryAt(nth < 700 ? one.id : other.id, nth))
    await write(written)
    const notes = await notesOf([chainOf(one.id), { partnerId: one.id, chain: 'live' }, chainOf(other.id)])
    const counted = notes.map(({ partnerId, chain, count }) => `${partnerId === one.id} ${chain} ${count}`)
    expect(counted.toSorted()).toEqual([
      'false sandbox 240',
      'true live 140',
      'true sandbox 250',
      'true sandbox 250',
      'true sandbox 60',
    ])
    const moments = notes
      .filter(({ partnerId, chain }) => partnerId === one.id && chain === 'sandbox')
      .flatMap((note) => entriesOf(note).map(({ exactAt }) => exactAt))
    expect(moments).toEqual(moments.toSorted())
    await seal(test)
    expect(await verify(test, one.id)).toMatchObject({ problems: 0, entries: 700, waiting: 0 })
    expect(await verify(test, other.id)).toMatchObject({ problems: 0, entries: 300, waiting: 0 })
  })
})

describe('what happens to an entry before it is linked', () => {
  it.each([
    ['changed', `update activity set by = 'nobody' where partner_id = $1 and id = $2`, 'this entry was changed'],
    ['removed', 'delete from activity where partner_id = $1 and id = $2', 'this entry was removed'],
  ])('%s: it is found', async (_, damage, wrong) => {
    const partner = await aPartner(test)
    const ids = await addEntries(test, partner.id, 3)
    await tamper(test, damage, [partner.id, ids[1]])
    await seal(test)
    expect((await verify(test, partner.id)).found).toMatchObject([{ position: 2, wrong }])
  })

  it('taken off the notes: it is found to be in no chain', async () => {
    const partner = await aPartner(test)
    await addEntries(test, partner.id, 3)
    await tamper(test, 'delete from activity_waiting where partner_id = $1', [partner.id])
    await seal(test)
    expect((await verify(test, partner.id)).found).toMatchObject([
      { position: null, wrong: expect.stringMatching(/in no chain/) as string },
    ])
  })
})

describe('what the release before has noted', () => {
  const asBefore = (partnerId: string) =>
    tamper(
      test,
      `with noted as (
         insert into activity_unsealed (partner_id, chain, at, id)
         select partner_id, environment::text, at, id from activity where partner_id = $1
       ) delete from activity_waiting where partner_id = $1`,
      [partnerId],
    )
  const moveAll = async () => {
    while (await backfillChains(test.deps));
  }

  it('is linked, and counts as waiting until then', async () => {
    const partner = await aPartner(test)
    await addEntries(test, partner.id, 300)
    await asBefore(partner.id)
    expect(await verify(test, partner.id)).toMatchObject({ problems: 0, entries: 0, waiting: 300 })
    await moveAll()
    expect((await notesOf([chainOf(partner.id)])).map(({ count }) => count)).toEqual([250, 50])
    await seal(test)
    expect(await verify(test, partner.id)).toMatchObject({ problems: 0, entries: 300, waiting: 0 })
    for (const link of await linksOf(partner.id)) expect(entryHash(link)).toEqual(link.entryHash)
  })

  it('and linked already, or lost with its month, is linked by nobody again', async () => {
    const partner = await aSealedLog(test, 4)
    await asBefore(partner.id)
    await tamper(
      test,
      `insert into activity_unsealed (partner_id, chain, at, id) values ($1, 'sandbox', '2020-01-01', gen_random_uuid())`,
      [partner.id],
    )
    await moveAll()
    await seal(test)
    expect(await verify(test, partner.id)).toMatchObject({ problems: 0, entries: 4, waiting: 0 })
  })

  it('is linked although the chain of another cannot be sealed, which is told each time', async () => {
    const [broken, partner] = [await aSealedLog(test, 3), await aPartner(test)]
    await tamper(test, 'update audit_chains set position = 2 where partner_id = $1', [broken.id])
    for (const { id } of [broken, partner]) await addEntries(test, id, 2)
    await asBefore(partner.id)
    const link = createLinker(test.deps)
    for (let round = 0; round < 2; round++) await expect(link()).rejects.toThrow(/activity_links/)
    expect(await verify(test, partner.id)).toMatchObject({ problems: 0, entries: 2, waiting: 0 })
    await tamper(test, 'update audit_chains set position = 3 where partner_id = $1', [broken.id])
    await seal(test)
  })

  it('is linked together where there is little of it: after a rest, and at once where there is much', async () => {
    const [little, much, ahead] = [await aPartner(test), await aPartner(test), await aPartner(test)]
    await addEntries(test, little.id, 3)
    await addEntries(test, much.id, 16)
    await addEntries(test, ahead.id, 3, new Date(test.clock.now().getTime() + 60_000))
    const link = createLinker(test.deps, 4_000)
    const linked = async () => {
      while (await link());
      const sums = await Promise.all([little, much, ahead].map(({ id }) => verify(test, id)))
      return sums.map(({ entries }) => entries)
    }
    expect(await linked()).toEqual([0, 16, 3])
    test.clock.advance(4_000)
    expect(await linked()).toEqual([3, 16, 3])
  })

  it('is linked once by three at once, also of new chains, which nobody begins who holds another', async () => {
    const partners = await Promise.all(Array.from({ length: 60 }, () => aPartner(test)))
    const half = partners.slice(0, 30)
    for (const { id } of half) await addEntries(test, id, 1)
    await seal(test)
    for (const { id } of partners) await addEntries(test, id, 2)
    const transactions: string[][] = []
    const inTransaction: Database['inTransaction'] = (work) => {
      const names: string[] = []
      transactions.push(names)
      return test.deps.db.inTransaction((tx) =>
        work({
          ...tx,
          query: (asked, values) => (names.push(asked.name), tx.query(asked, values)),
          defer: (asked, values) => (names.push(asked.name), tx.defer(asked, values)),
        }),
      )
    }
    const deps = { ...test.deps, db: { ...test.deps.db, inTransaction } }
    const links = Array.from({ length: 3 }, () => createLinker(deps))
    await Promise.all(
      links.map(async (link) => {
        while (await link()) continue
      }),
    )
    const sums = await Promise.all(partners.map(({ id }) => verify(test, id)))
    expect(sums.map(({ entries, problems, waiting }) => [entries, problems, waiting])).toEqual(
      partners.map((each) => [half.includes(each) ? 3 : 2, 0, 0]),
    )
    const beginning = transactions.filter((names) => names.includes('begin_audit_chains'))
    expect(beginning.length).toBeGreaterThan(0)
    for (const names of beginning) expect(names).toEqual(['begin_audit_chains'])
  })

  it.each([
    ['all of it', true],
    ['some of it', false],
  ])('and we have as well, %s, is linked once', async (_, isAll) => {
    const partner = await aPartner(test)
    const [first] = await addEntries(test, partner.id, 3)
    await tamper(
      test,
      `insert into activity_unsealed (partner_id, chain, at, id)
       select partner_id, environment::text, at, id from activity where partner_id = $1 and ($3 or id <> $2)`,
      [partner.id, first, isAll],
    )
    await moveAll()
    expect((await notesOf([chainOf(partner.id)])).map(({ count }) => count)).toEqual([3])
    await seal(test)
    expect(await verify(test, partner.id)).toMatchObject({ problems: 0, entries: 3, waiting: 0 })
  })

  it('and is linked just now by one of its workers is waited for', async () => {
    const partner = await aSealedLog(test, 1)
    await addEntries(test, partner.id, 1)
    const [note] = (await notesOf([chainOf(partner.id)])).flatMap(entriesOf)
    await asBefore(partner.id)
    await tamper(test, `delete from activity_unsealed where partner_id = $1 and id <> $2`, [partner.id, note!.id])
    let moving: Promise<void> = Promise.resolve()
    await test.owner.inTransaction(async (tx) => {
      await tx.query({ name: '', text: `select 1 from audit_chains where partner_id = $1 for no key update` }, [
        partner.id,
      ])
      moving = moveAll()
      await untilOneWaits(test)
      // As that worker does: the link, and off the notes.
      await tx.query(
        {
          name: '',
          text: `insert into activity_links (partner_id, chain, position, at, id, form, sealed_at, entry_hash, hash)
                 values ($1, 'sandbox', 2, $2, $3, 1, now(), $4, $4)`,
        },
        [partner.id, note!.exactAt, note!.id, note!.entryHash],
      )
      await tx.query({ name: '', text: 'delete from activity_unsealed where partner_id = $1' }, [partner.id])
      await tx.query({ name: '', text: 'update audit_chains set position = 2 where partner_id = $1' }, [partner.id])
    })
    await moving
    expect(await notesOf([chainOf(partner.id)])).toEqual([])
  })
})

describe('an entry that is noted twice', () => {
  const NOTES = 'select partner_id, chain, at, id, count, entries from activity_waiting where partner_id ='
  const kept = (partnerId: string) => tamper(test, `create table kept_notes as ${NOTES} '${partnerId}'`)
  const notedAgain = async (change = 'id = id') => {
    await tamper(test, `update kept_notes set ${change}`)
    await tamper(test, 'insert into activity_waiting select * from kept_notes')
    await tamper(test, 'drop table kept_notes')
  }

  it('and is linked already is left out, and holds up nothing that comes after it', async () => {
    const [partner, other] = [await aPartner(test), await aPartner(test)]
    await addEntries(test, partner.id, 3)
    await kept(partner.id)
    await seal(test)
    await notedAgain()
    await addEntries(test, partner.id, 2)
    await addEntries(test, other.id, 2)
    await seal(test)
    expect(await verify(test, partner.id)).toMatchObject({ problems: 0, entries: 5, waiting: 0 })
    expect(await verify(test, other.id)).toMatchObject({ problems: 0, entries: 2, waiting: 0 })
    expect(await notesOf([chainOf(partner.id)])).toEqual([])
  })

  it('and waits is linked once', async () => {
    const partner = await aPartner(test)
    await addEntries(test, partner.id, 3)
    await kept(partner.id)
    await notedAgain('id = gen_random_uuid()')
    await seal(test)
    expect(await verify(test, partner.id)).toMatchObject({ problems: 0, entries: 3, waiting: 0 })
    expect((await linksOf(partner.id)).map(({ position }) => position)).toEqual([1, 2, 3])
  })
})
