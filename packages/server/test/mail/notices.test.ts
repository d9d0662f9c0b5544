// What admins are told by mail: each thing once, however many workers look.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { after } from '../../src/core/clock.ts'
import { tellHeldNotices } from '../../src/domain/notices/notify-admins.ts'
import { readMailbox } from '../../src/domain/mail/read-mailbox.ts'
import { tellOfUndelivered } from '../../src/domain/notices/tell-of-undelivered.ts'
import { warnOfLowBalances } from '../../src/domain/notices/warn-of-low-balance.ts'
import { type BillingHouse, type LiveBank, paid, startBilling } from '../billing/live-bank.ts'
import type { Instance } from '../races/instances.ts'
import type { TestApp } from '../support/app.ts'
import { aPartner, createPayout, inLive, setBalance, sql } from '../support/fixtures.ts'
import { signedIn } from '../support/sessions.ts'

let test: TestApp
let second: Instance
let bank: LiveBank
let close: BillingHouse['close']
beforeAll(async () => {
  ;({ test, second, bank, close } = await startBilling())
})
afterAll(() => close())
beforeEach(() => {
  test.clock.set('2026-06-10T12:00:00Z')
  bank.says = { state: 'settled' }
})

const mails = async (kind: string) => (await readMailbox(test.deps)).filter((mail) => mail.kind === kind)

describe('live payouts that fail or come back', () => {
  const tell = () => Promise.all([test, second, test].map(({ deps }) => tellOfUndelivered(deps)))
  const subjects = async () => (await mails('payouts_undelivered')).map(({ subject }) => subject)

  it('are told to every admin, several in one mail, each in one only, and never those of sandbox', async () => {
    const partner = await aPartner(test)
    const live = await inLive(test, partner, '5000.00')
    await createPayout(test, partner, { reference: 'sandbox:fail' })
    bank.says = { state: 'undeliverable', refund: 'done' }
    await createPayout(test, live, { amount_gbp: '25.00' })
    test.clock.advance(5_000)
    await test.follow()
    await tell()
    expect(await subjects()).toEqual([])
    test.clock.advance(31_000)
    await tell()
    await tell()
    expect(await subjects()).toEqual(['A live payout of “Thistle Market” did not arrive'])
    const [first] = await mails('payouts_undelivered')
    expect(first?.to).toBe('finance@thistle.test')
    expect(first?.text).toMatch(/£25\.00 to .+, account ending \d{4}/)
    // What had completed comes back, and another fails meanwhile.
    bank.says = { state: 'settled' }
    await paid(test, live, '1250.00')
    bank.says = { state: 'returned', refund: 'done' }
    await createPayout(test, live, { amount_gbp: '30.00' })
    test.clock.advance(400_000)
    await test.follow()
    test.clock.advance(31_000)
    await tell()
    expect((await subjects()).toSorted()).toEqual([
      '2 live payouts of “Thistle Market” did not arrive',
      'A live payout of “Thistle Market” did not arrive',
    ])
  })

  it('are told also after somebody whose clock was ahead has told: of the last day, and not all there ever were', async () => {
    const partner = await aPartner(test, { email: 'ops@juniper.test' })
    const live = await inLive(test, partner, '5000.00')
    bank.says = { state: 'undeliverable', refund: 'done' }
    const fail = async (amount_gbp: string) => {
      await createPayout(test, live, { amount_gbp })
      test.clock.advance(5_000)
      await test.follow()
      test.clock.advance(31_000)
    }
    const told = async () =>
      (await mails('payouts_undelivered'))
        .filter(({ to }) => to === 'ops@juniper.test')
        .flatMap(({ text }) => text.match(/£\d+/g) ?? [])
        .toSorted()
    await fail('25.00')
    const ahead = { ...test.deps.clock, now: () => after(test.clock.now(), 300 * 86_400_000) }
    await tellOfUndelivered({ ...test.deps, clock: ahead })
    expect(await told()).toEqual(['£25'])
    test.clock.advance(2 * 86_400_000)
    await fail('30.00')
    await tell()
    await tell()
    expect(await told()).toEqual(['£25', '£30'])
    await fail('35.00')
    await tell()
    expect(await told()).toEqual(['£25', '£30', '£35'])
  })
})

const warn = () => Promise.all([test, second, test].map(({ deps }) => warnOfLowBalances(deps)))
const warnings = () => mails('low_balance')

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
    expect((await warnings())[0]?.subject).toBe('The live wallet of “Thistle Market” is low: 499.99 USDC')
    await setBalance(test, live, '500.00')
    await warn()
    expect(await warnings()).toHaveLength(3)
    await setBalance(test, live, '10.00')
    await warn()
    expect(await warnings()).toHaveLength(6)
  })

  it('is told a few times an hour, however often somebody changes what low means', async () => {
    const partner = await aPartner(test)
    await inLive(test, partner, '10.00')
    const { email } = await signedIn(test, partner)
    for (let count = 0; count < 12; count++) {
      await sql(test, 'update partners set low_balance_micro = 500000000 where id = $1', [partner.id])
      await warn()
      await sql(test, 'update partners set low_balance_micro = null where id = $1', [partner.id])
      await warn()
    }
    expect((await warnings()).filter(({ to }) => to === email)).toHaveLength(4)
    test.clock.advance(61 * 60_000)
    await tellHeldNotices(test.deps)
    const digest = (await mails('digest')).find(({ to }) => to === email)
    expect(digest?.text).toMatch(/^8 more things happened[^]+The live wallet of Thistle Market is low: 10\.00 USDC/)
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
