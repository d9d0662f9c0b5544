// Whatever a team does at the same moment: there is always an admin, and never a sixth key.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { listKeys } from '../../src/domain/api-keys/list-keys.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, sql } from '../support/fixtures.ts'
import { type TestMember, aDoorCode, ask, signedIn } from '../support/sessions.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

async function aTeam(size: number): Promise<{ partner: TestPartner; admins: TestMember[] }> {
  const partner = await aPartner(test)
  await sql(test, 'delete from members where partner_id = $1', [partner.id])
  const admins: TestMember[] = []
  for (let count = 0; count < size; count++) admins.push(await signedIn(test, partner))
  return { partner, admins }
}

const adminsOf = async (partner: TestPartner) =>
  (await sql(test, `select 1 from members where partner_id = $1 and role = 'admin'`, [partner.id])).length

describe('a team', () => {
  it('keeps an admin when two remove each other at once, ten times over', async () => {
    for (let round = 0; round < 10; round++) {
      const { partner, admins } = await aTeam(2)
      const [one, two] = admins as [TestMember, TestMember]
      const codeOf = (by: TestMember, whom: TestMember) =>
        aDoorCode(test, by, { action: 'member.remove', member_id: whom.memberId })
      const codes = [await codeOf(one, two), await codeOf(two, one)] as const
      const removal = (by: TestMember, whom: TestMember, code: string) =>
        ask(test, by, { method: 'DELETE', url: `/v1/members/${whom.memberId}`, headers: { 'confirm-code': code } })
      const replies = await Promise.all([removal(one, two, codes[0]), removal(two, one, codes[1])])
      expect(await adminsOf(partner)).toBe(1)
      expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    }
  })

  it('keeps an admin when all of them step down at once', async () => {
    const { partner, admins } = await aTeam(5)
    const codes: string[] = []
    for (const admin of admins) {
      codes.push(await aDoorCode(test, admin, { action: 'member.change', member_id: admin.memberId, role: 'viewer' }))
    }
    const replies = await Promise.all(
      admins.map((admin, index) => {
        const payload = { role: 'viewer', confirm_code: codes[index] }
        return ask(test, admin, { method: 'PATCH', url: `/v1/members/${admin.memberId}`, payload })
      }),
    )
    expect(replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 409])
    expect(await adminsOf(partner)).toBe(1)
  })

  it('gets a member once who is invited ten times at once', async () => {
    const { admins } = await aTeam(1)
    const payload = { email: 'popular@okafor.test', role: 'viewer' }
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => ask(test, admins[0]!, { method: 'POST', url: '/v1/members', payload })),
    )
    expect(replies.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
  })
})

describe('keys', () => {
  const active = async (partner: TestPartner) =>
    (await listKeys(test.deps, partner.id)).filter(({ revokedAt }) => revokedAt === null)

  it('are never more than five, however many are made and rotated at once', async () => {
    const { partner, admins } = await aTeam(1)
    const post = (url: string, payload: object) => ask(test, admins[0]!, { method: 'POST', url, payload })
    await Promise.all([
      ...Array.from({ length: 10 }, () => post('/v1/keys', { environment: 'sandbox' })),
      ...Array.from({ length: 10 }, () => post(`/v1/keys/${partner.keyId}/rotate`, { grace_seconds: 3_600 })),
    ])
    expect(await active(partner)).toHaveLength(5)
  })

  it('are rotated once when ten rotate the same one at once', async () => {
    const { partner, admins } = await aTeam(1)
    const url = `/v1/keys/${partner.keyId}/rotate`
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => ask(test, admins[0]!, { method: 'POST', url, payload: { grace_seconds: 0 } })),
    )
    expect(replies.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
    expect(await active(partner)).toHaveLength(1)
  })
})
