// Keys that come together are looked up together, and each is answered as if it had come alone.
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

import { revokeKey } from '../../src/domain/api-keys/revoke-key.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner } from '../support/fixtures.ts'

let test: TestApp
const partners: TestPartner[] = []
beforeAll(async () => {
  test = await startTestApp()
  for (let count = 0; count < 12; count++) partners.push(await aPartner(test))
})
afterAll(() => test.close())

const ask = async (key: string) => {
  const reply = await test.request({ url: '/v1/account', headers: { authorization: `Bearer ${key}` } })
  return reply.statusCode === 200 ? reply.json().id : reply.statusCode
}

it('each key is its own business, whoever asks beside it', async () => {
  const lookedUp = vi.spyOn(test.deps.db.lookup, 'query')
  const keys = [...partners, ...partners].map(({ id, key }) => ({ id, key }))
  const unknown = { id: 401, key: `kp_sandbox_${'0'.repeat(48)}` }
  const asked = [...keys.slice(0, 5), unknown, ...keys.slice(5)]
  expect(await Promise.all(asked.map(({ key }) => ask(key)))).toEqual(asked.map(({ id }) => id))
  expect(lookedUp.mock.calls.map(([{ name }]) => name)).toContain('key_holders')
  expect(lookedUp.mock.calls.length).toBeLessThan(asked.length / 2)
  lookedUp.mockRestore()
})

it('a key that was revoked is refused from then on, also among others', async () => {
  const [revoked, ...others] = partners
  expect(await ask(revoked!.key)).toBe(revoked!.id)
  await revokeKey(test.deps, revoked!.keyId)
  const seen = await Promise.all([...others, revoked!, ...others].map(({ key }) => ask(key)))
  expect(seen).toEqual([...others.map(({ id }) => id), 401, ...others.map(({ id }) => id)])
})
