import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import {
  type PayoutBody,
  type TestPartner,
  aPartner,
  aRecipient,
  anObligingRail,
  createPayout,
  get,
  inLive,
} from '../support/fixtures.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

let test: TestApp
beforeAll(async () => {
  // The clock stands still unless a test moves it, so that every moment is known.
  vi.useFakeTimers({ toFake: ['Date'] })
  test = await startTestApp({ liveRail: anObligingRail() })
})
afterAll(async () => {
  await test.close()
  vi.useRealTimers()
})

const recipients = async (partner: Pick<TestPartner, 'key'>) => (await get(test, partner, '/v1/recipients')).json().data

/** Pays and waits until the payout has come to its end; says when it was created and when that was. */
async function pay(partner: TestPartner, body: PayoutBody = {}): Promise<{ createdAt: string; endedAt: string }> {
  const { created_at: createdAt } = (await createPayout(test, partner, body)).json()
  test.clock.advance(5 * SECOND)
  await test.follow()
  return { createdAt, endedAt: test.clock.now().toISOString() }
}

describe('GET /v1/recipients, 200', () => {
  it('is empty before anybody was paid', async () => {
    const reply = await get(test, await aPartner(test), '/v1/recipients')
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({ object: 'list', data: [] })
  })

  it('sums the payouts to one person up, and shows the name and four digits only', async () => {
    const partner = await aPartner(test)
    await pay(partner, { amount_gbp: '25.00' })
    const { endedAt } = await pay(partner, { amount_gbp: '100.01' })
    expect(await recipients(partner)).toEqual([
      {
        name: 'Zephyrine Quillfeather',
        account_last4: '5432',
        payouts: 2,
        paid_gbp: '125.01',
        last_paid_at: endedAt,
      },
    ])
  })

  it('counts a payout that is on its way, but not yet as paid', async () => {
    const partner = await aPartner(test)
    await pay(partner, { amount_gbp: '25.00' })
    const onItsWay = await createPayout(test, partner, { amount_gbp: '10.00', reference: 'sandbox:hold' })
    const pending = await createPayout(test, partner, { amount_gbp: '5.00', reference: 'sandbox:late' })
    expect(onItsWay.json().status).toBe('processing')
    expect(pending.json().status).toBe('pending')
    expect(await recipients(partner)).toMatchObject([
      { payouts: 3, paid_gbp: '25.00', last_paid_at: pending.json().created_at },
    ])
  })

  it.each([
    { body: { recipient: aRecipient({ account_number: '12340000' }) }, why: 'failed at once' },
    { body: { reference: 'sandbox:fail' }, why: 'failed later' },
    { body: { reference: 'sandbox:cancel' }, why: 'was cancelled' },
    { body: { reference: 'sandbox:return' }, why: 'came back' },
    { body: { reference: 'sandbox:reject' }, why: 'was refused' },
    { body: { reference: 'sandbox:down' }, why: 'was never sent' },
  ])('does not count a payout that $why', async ({ body }) => {
    const partner = await aPartner(test)
    await pay(partner, body)
    expect(await recipients(partner)).toEqual([])
  })

  it.each([
    { other: { bank: { account_number: '11112222' } }, why: 'the same name at another account' },
    { other: { bank: { sort_code: '665544' } }, why: 'the same number at another sort code' },
  ])('shows two recipients for $why', async ({ other }) => {
    const partner = await aPartner(test)
    const recipient = aRecipient()
    await pay(partner, { amount_gbp: '1.00', recipient })
    await pay(partner, {
      amount_gbp: '2.00',
      recipient: { ...recipient, ...other, bank: { ...recipient.bank, ...other.bank } },
    })
    expect(await recipients(partner)).toMatchObject([
      { payouts: 1, paid_gbp: '2.00' },
      { payouts: 1, paid_gbp: '1.00' },
    ])
  })

  it('knows a person again who has moved house, changed address of mail or is paid for something else', async () => {
    const partner = await aPartner(test)
    const recipient = aRecipient()
    await pay(partner, { recipient })
    await pay(partner, {
      reference: 'Invoice 1043',
      recipient: { ...recipient, email: 'new@example.test', address: { ...recipient.address, line1: '2 New Street' } },
    })
    expect(await recipients(partner)).toMatchObject([{ payouts: 2, paid_gbp: '50.00' }])
  })

  it('shows whoever was paid last first', async () => {
    const partner = await aPartner(test)
    for (const first_name of ['Ada', 'Bo', 'Cy', 'Ada']) await pay(partner, { recipient: aRecipient({ first_name }) })
    const names = (await recipients(partner)).map((each: { name: string }) => each.name)
    expect(names).toEqual(['Ada Quillfeather', 'Cy Quillfeather', 'Bo Quillfeather'])
  })

  it('looks back 90 days and no further', async () => {
    const partner = await aPartner(test)
    const { createdAt } = await pay(partner)
    test.clock.advance(new Date(createdAt).getTime() + 90 * DAY - test.clock.now().getTime())
    expect((await recipients(partner)).length).toBe(1)
    test.clock.advance(MINUTE)
    expect(await recipients(partner)).toEqual([])
  })

  it('shows 200 recipients and no more, and leaves out whoever was paid longest ago', async () => {
    const partner = await aPartner(test)
    const payTo = (account: number) => {
      const recipient = aRecipient({ account_number: String(account), first_name: `Nr ${account}` })
      return createPayout(test, partner, { amount_gbp: '1.00', recipient })
    }
    await payTo(10_000_001)
    test.clock.advance(SECOND)
    const replies = await Promise.all(Array.from({ length: 200 }, (_, index) => payTo(20_000_001 + index)))
    expect(replies.filter((reply) => reply.statusCode !== 201).map((reply) => reply.body)).toEqual([])
    const names: string[] = (await recipients(partner)).map((each: { name: string }) => each.name)
    expect(names.length).toBe(200)
    expect(new Set(names).size).toBe(200)
    expect(names).not.toContain('Nr 10000001 Quillfeather')
  })

  it('shows whom the environment of the key has paid, whatever the parameter says', async () => {
    const partner = await aPartner(test)
    const live = await inLive(test, partner, '1000.00')
    await pay(partner, { recipient: aRecipient({ first_name: 'Test' }) })
    await pay(live, { recipient: { ...aRecipient(), first_name: 'Real' } })
    expect(await recipients(partner)).toMatchObject([{ name: 'Test Quillfeather' }])
    expect(await recipients(live)).toMatchObject([{ name: 'Real Quillfeather' }])
    const asked = await get(test, live, '/v1/recipients?environment=sandbox')
    expect(asked.json().data).toMatchObject([{ name: 'Real Quillfeather' }])
  })

  it('never shows whom another partner has paid', async () => {
    const [one, other] = [await aPartner(test), await aPartner(test)]
    await pay(other)
    expect(await recipients(one)).toEqual([])
  })
})

describe('GET /v1/recipients, 422', () => {
  it('refuses a parameter that does not exist', async () => {
    const reply = await get(test, await aPartner(test), '/v1/recipients?limit=500')
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error.details).toMatchObject({ fields: ['limit (not a known field)'] })
  })
})
