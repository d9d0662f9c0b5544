// At most five active keys per environment, however many are asked for at once and by however many processes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { AppError } from '../../src/core/errors.ts'
import { createKey } from '../../src/domain/api-keys/create-key.ts'
import { listKeys } from '../../src/domain/api-keys/list-keys.ts'
import { revokeKey } from '../../src/domain/api-keys/revoke-key.ts'
import { verifyPartner } from '../support/verified.ts'
import { findPartner } from '../../src/domain/partners/find-partner.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner } from '../support/fixtures.ts'
import { type Instance, anotherInstance } from './instances.ts'

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

async function fiftyAtOnce(owner: TestPartner, environment: 'sandbox' | 'live') {
  const partner = await findPartner(test.deps, owner.slug)
  return Promise.allSettled(
    Array.from({ length: 50 }, (_, index) =>
      createKey(index % 2 === 0 ? test.deps : second.deps, { partner, environment, label: `key ${index}` }),
    ),
  )
}

const activeKeys = async (owner: TestPartner, environment: 'sandbox' | 'live') =>
  (await listKeys(test.deps, owner.id)).filter((key) => key.environment === environment && key.revokedAt === null)

function madeAndRefused(outcomes: PromiseSettledResult<{ id: string; secret: string }>[]) {
  const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
  return { made, refused }
}

describe('fifty keys asked for at once, in two processes', () => {
  it('give exactly five in live, and forty-five clear refusals', async () => {
    const owner = await aPartner(test)
    await verifyPartner(test.deps, owner.slug)
    const { made, refused } = madeAndRefused(await fiftyAtOnce(owner, 'live'))
    expect([made.length, refused.length]).toEqual([5, 45])
    for (const reason of refused) {
      expect(reason).toBeInstanceOf(AppError)
      expect((reason as AppError).code).toBe('key_limit_reached')
    }
    expect((await activeKeys(owner, 'live')).map((key) => key.id).toSorted()).toEqual(
      made.map((key) => key.id).toSorted(),
    )
    expect(new Set(made.map((key) => key.secret)).size).toBe(5)
  })

  it('give four in sandbox, where every partner has one to begin with; live does not count there', async () => {
    const owner = await aPartner(test)
    await verifyPartner(test.deps, owner.slug)
    const partner = await findPartner(test.deps, owner.slug)
    await createKey(test.deps, { partner, environment: 'live', label: null })
    const { made, refused } = madeAndRefused(await fiftyAtOnce(owner, 'sandbox'))
    expect([made.length, refused.length]).toEqual([4, 46])
    expect(await activeKeys(owner, 'sandbox')).toHaveLength(5)
    expect(await activeKeys(owner, 'live')).toHaveLength(1)
  })

  it('give one when one of the five has been revoked', async () => {
    const owner = await aPartner(test)
    await fiftyAtOnce(owner, 'sandbox')
    await revokeKey(test.deps, owner.keyId)
    const { made } = madeAndRefused(await fiftyAtOnce(owner, 'sandbox'))
    expect(made).toHaveLength(1)
    expect(await activeKeys(owner, 'sandbox')).toHaveLength(5)
  })

  it('give none in live before the business is verified', async () => {
    const owner = await aPartner(test)
    const partner = await findPartner(test.deps, owner.slug)
    const attempts = await Promise.allSettled(
      Array.from({ length: 50 }, async () => createKey(test.deps, { partner, environment: 'live', label: null })),
    )
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toEqual([])
    expect(await activeKeys(owner, 'live')).toEqual([])
  })

  it('of two partners do not count against each other', async () => {
    const [one, other] = [await aPartner(test), await aPartner(test)]
    const outcomes = await Promise.all([fiftyAtOnce(one, 'sandbox'), fiftyAtOnce(other, 'sandbox')])
    expect(outcomes.map((each) => madeAndRefused(each).made.length)).toEqual([4, 4])
  })
})
