// Notices that were held back are sent later, the newest first, in few rows; one partner's failure delays no other's.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { newId } from '../../src/core/ids.ts'
import { notifyAdmins, tellHeldNotices } from '../../src/domain/notices/notify-admins.ts'
import { readMailbox } from '../../src/domain/mail/read-mailbox.ts'
import { warnOfLowBalances } from '../../src/domain/notices/warn-of-low-balance.ts'
import { insertHeldNotice } from '../../src/storage/held-notices.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, inLive, sql } from '../support/fixtures.ts'
import { type TestMember, aSignInCode, ask, latestMail, signedIn } from '../support/sessions.ts'

const HOUR = 60 * 60_000

let test: TestApp
let partner: TestPartner
let admin: TestMember
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())
beforeEach(async () => {
  await sql(test, 'delete from allowances')
  await sql(test, 'delete from held_notices')
  partner = await aPartner(test)
  await sql(test, 'delete from members where partner_id = $1', [partner.id])
  admin = await signedIn(test, partner)
})

const notify = (subject: string, of = partner) =>
  test.deps.db.inTransaction((tx) =>
    notifyAdmins(tx, test.deps, {
      partnerId: of.id,
      kind: 'noise',
      weight: 'plain',
      content: { subject, text: subject, html: subject },
    }),
  )
const hold = (of: Pick<TestPartner, 'id'>, email: string) =>
  test.deps.db.inTransaction(async (tx) => {
    const createdAt = test.clock.now()
    insertHeldNotice(tx, of.id, { id: newId(createdAt), email, words: 'Something happened', createdAt })
  })
const digests = async (to: string) =>
  (await readMailbox(test.deps)).filter((mail) => mail.kind === 'digest' && mail.to === to)

/** Makes every statement on this partner's rows of a table fail. */
const breakFor = (table: string, column: string, id: string) =>
  sql(
    test,
    `create function broken() returns trigger language plpgsql as $$ begin
       if old.${column} = '${id}' then raise exception 'broken for one'; end if; return coalesce(new, old); end $$;
     create trigger broken before update or delete on ${table} for each row execute function broken()`,
  )
afterEach(() => sql(test, 'drop function if exists broken() cascade'))

describe('what is held back', () => {
  it('is told the newest first, with how many more there were and where they are', async () => {
    for (let count = 1; count <= 64; count++) {
      await notify(`Thing ${count}`)
      test.clock.advance(1_000)
    }
    test.clock.advance(HOUR)
    await tellHeldNotices(test.deps)
    const [digest] = await digests(admin.email)
    expect(digest!.subject).toBe('60 more things happened: “Thistle Market”')
    const shown = [...digest!.text.matchAll(/Thing (\d+)$/gm)].map((match) => Number(match[1]))
    expect(shown).toEqual(Array.from({ length: 20 }, (_, index) => 64 - index))
    expect(digest!.text).toContain('And 40 more before these. The dashboard has them all, under Audit log.')
  })

  it('is few rows however much there is, counted right also when it comes at once', async () => {
    await Promise.all(Array.from({ length: 60 }, (_, count) => notify(`Thing ${count}`)))
    await notify('The last thing')
    const [{ rows, told } = { rows: 0, told: 0 }] = await sql<{ rows: number; told: number }>(
      test,
      'select count(*)::int as rows, sum(stands_for)::int as told from held_notices where partner_id = $1',
      [partner.id],
    )
    expect(told).toBe(57)
    expect(rows).toBeLessThanOrEqual(20)
  })

  it('is told an hour after the first of it, however much comes meanwhile', async () => {
    for (let minute = 0; minute < 65; minute++) {
      await hold(partner, admin.email)
      test.clock.advance(60_000)
      await tellHeldNotices(test.deps)
    }
    expect(await digests(admin.email)).toHaveLength(1)
  })
})

describe('somebody else’s trouble', () => {
  it('is a notice that cannot be told, which keeps nobody else’s back', async () => {
    const broken = await aPartner(test)
    await hold(broken, 'first@thistle.test')
    test.clock.advance(1)
    await hold(partner, admin.email)
    await breakFor('held_notices', 'partner_id', broken.id)
    test.clock.advance(HOUR)
    await expect(tellHeldNotices(test.deps)).rejects.toThrow('broken for one')
    expect(await digests(admin.email)).toHaveLength(1)
    expect(await digests('first@thistle.test')).toEqual([])
  })

  it('is a flood, after which others are told in the same round', async () => {
    const flood = await aPartner(test)
    for (let count = 0; count < 120; count++) await hold(flood, `flood-${count}@thistle.test`)
    test.clock.advance(1_000)
    await hold(partner, admin.email)
    test.clock.advance(HOUR)
    expect(await tellHeldNotices(test.deps)).toBe(true)
    expect(await digests(admin.email)).toHaveLength(1)
    expect(await tellHeldNotices(test.deps)).toBe(false)
    expect(await sql(test, 'select 1 from held_notices')).toEqual([])
  })

  it('is a low balance that cannot be told, which keeps nobody else’s back', async () => {
    const other = await aPartner(test)
    const reader = await signedIn(test, other)
    for (const each of [partner, other]) {
      await inLive(test, each, '10.00')
      await sql(test, 'update partners set low_balance_micro = 500000000 where id = $1', [each.id])
    }
    await breakFor('partners', 'id', partner.id)
    await expect(warnOfLowBalances(test.deps)).rejects.toThrow('broken for one')
    expect((await latestMail(test, reader.email)).kind).toBe('low_balance')
  })
})

describe('a viewer who joins', () => {
  it('is told to every admin at once, whatever noise there was, and many who join hide nothing else', async () => {
    const invited = async (email: string) => {
      const payload = { email, role: 'viewer' }
      await ask(test, admin, { method: 'POST', url: '/v1/members', payload })
      const code = await aSignInCode(test, email)
      const choice = await test.request({ method: 'POST', url: '/v1/auth/session', payload: { email, code } })
      const accept = choice.json().error.details.invitations[0].id
      return test.request({ method: 'POST', url: '/v1/auth/session', payload: { email, code, accept } })
    }
    for (let count = 0; count < 10; count++) await notify('Noise')
    expect((await invited('one@elsewhere.test')).statusCode).toBe(201)
    expect((await latestMail(test, admin.email)).subject).toBe('A viewer joined the team: “Thistle Market”')
    for (let count = 0; count < 22; count++) await invited(`more-${count}@elsewhere.test`)
    await test.deps.db.inTransaction((tx) =>
      notifyAdmins(tx, test.deps, {
        partnerId: partner.id,
        kind: 'grave',
        weight: 'grave',
        content: { subject: 'Something grave', text: '.', html: '.' },
      }),
    )
    expect((await latestMail(test, admin.email)).subject).toBe('Something grave')
  })
})
