import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readMailbox } from '../../src/domain/mail/read-mailbox.ts'
import { warnOfLowBalances } from '../../src/domain/members/warn-of-low-balance.ts'
import { type Instance, anotherInstance } from '../races/instances.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { aPartner, inLive, setBalance, sql } from '../support/fixtures.ts'
import { signedIn } from '../support/sessions.ts'

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

const warn = () => Promise.all([test, second, test].map(({ deps }) => warnOfLowBalances(deps)))
const warnings = async () =>
  (await readMailbox(test.deps))
    .filter(({ kind }) => kind === 'low_balance')
    .map(({ to, subject }) => ({ to, subject }))

describe('a live wallet that is low', () => {
  it('is told to every admin once, however many workers there are, and again when it has risen in between', async () => {
    const partner = await aPartner(test)
    const live = await inLive(test, partner, '499.99')
    const [one, other] = [await signedIn(test, partner), await signedIn(test, partner)]
    await signedIn(test, partner, { role: 'viewer' })
    await warn()
    expect(await warnings()).toEqual([])
    await sql(test, 'update partners set low_balance_micro = 500000000 where id = $1', [partner.id])
    await warn()
    await warn()
    const admins = ['finance@thistle.test', one.email, other.email]
    expect((await warnings()).map(({ to }) => to).toSorted()).toEqual(admins.toSorted())
    expect((await warnings())[0]?.subject).toBe('The live wallet of Thistle Market is low: 499.99 USDC')
    await setBalance(test, live, '500.00')
    await warn()
    expect(await warnings()).toHaveLength(3)
    await setBalance(test, live, '10.00')
    await warn()
    expect(await warnings()).toHaveLength(6)
  })

  it('is told to nobody in sandbox, where the money is none', async () => {
    const before = await warnings()
    const partner = await aPartner(test, { usdc: '1.00' })
    await signedIn(test, partner)
    await sql(test, 'update partners set low_balance_micro = 500000000 where id = $1', [partner.id])
    await warn()
    expect(await warnings()).toEqual(before)
  })
})
