import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import {
  type PayoutBody,
  type TestPartner,
  aPartner,
  aRecipient,
  anObligingRail,
  balanceOf,
  createPayout,
  get,
  inLive,
} from '../support/fixtures.ts'

const DAY = 86_400_000

let test: TestApp
beforeAll(async () => {
  // The clock stands still unless a story moves it on: each step is looked at to the millisecond.
  vi.useFakeTimers({ toFake: ['Date'] })
  test = await startTestApp({ liveRail: anObligingRail() })
})
afterAll(async () => {
  await test.close()
  vi.useRealTimers()
})

/** 100.00 in the wallet; a payout of 25.00 sends 32.07. */
const FULL = 100_000_000n
const LESS = 67_930_000n

interface Step {
  /** Milliseconds since the payout was made. */
  readonly at: number
  readonly status: string
  readonly wallet: bigint
  readonly reason?: string
}

const BACK = 'Nothing was charged and the money is back in the wallet.'
const ON_ITS_WAY_BACK = 'Nothing was charged and the money is on its way back to the wallet.'
const UNKNOWN_ACCOUNT = `The bank rejected the account details: the sort code or account number is not known. ${BACK}`

const STORIES: readonly { tells: string; body: PayoutBody; steps: readonly Step[]; fee: string }[] = [
  {
    tells: 'any other payout: settles after two seconds',
    body: { reference: 'Invoice 1042' },
    steps: [
      { at: 0, status: 'processing', wallet: LESS },
      { at: 1_999, status: 'processing', wallet: LESS },
      { at: 2_000, status: 'completed', wallet: LESS },
      { at: DAY, status: 'completed', wallet: LESS },
    ],
    fee: '1.24',
  },
  {
    tells: 'an account number ending 0000: failed from the start',
    body: { recipient: aRecipient({ account_number: '12340000' }) },
    steps: [
      { at: 0, status: 'failed', wallet: FULL, reason: UNKNOWN_ACCOUNT },
      { at: DAY, status: 'failed', wallet: FULL, reason: UNKNOWN_ACCOUNT },
    ],
    fee: '0.00',
  },
  {
    tells: 'sandbox:return: completes, and two seconds later the money is back',
    body: { reference: 'sandbox:return' },
    steps: [
      { at: 0, status: 'processing', wallet: LESS },
      { at: 2_000, status: 'completed', wallet: LESS },
      { at: 3_999, status: 'completed', wallet: LESS },
      { at: 4_000, status: 'returned', wallet: LESS, reason: 'The account is closed.' },
      { at: 4_500, status: 'returned', wallet: FULL, reason: 'The account is closed.' },
      { at: DAY, status: 'returned', wallet: FULL, reason: 'The account is closed.' },
    ],
    // It was completed, and so it was charged; a return does not undo that.
    fee: '1.24',
  },
  {
    tells: 'sandbox:fail: goes out and fails',
    body: { reference: 'sandbox:fail' },
    steps: [
      { at: 0, status: 'processing', wallet: LESS },
      { at: 1_999, status: 'processing', wallet: LESS },
      { at: 2_000, status: 'failed', wallet: LESS, reason: `The account is blocked. ${ON_ITS_WAY_BACK}` },
      { at: 2_500, status: 'failed', wallet: FULL, reason: `The account is blocked. ${BACK}` },
      { at: DAY, status: 'failed', wallet: FULL, reason: `The account is blocked. ${BACK}` },
    ],
    fee: '0.00',
  },
  {
    tells: 'sandbox:cancel: goes out and is cancelled by the bank',
    body: { reference: 'sandbox:cancel' },
    steps: [
      { at: 0, status: 'processing', wallet: LESS },
      {
        at: 2_000,
        status: 'cancelled',
        wallet: FULL,
        reason: `The payment was cancelled before it was sent. ${BACK}`,
      },
      {
        at: DAY,
        status: 'cancelled',
        wallet: FULL,
        reason: `The payment was cancelled before it was sent. ${BACK}`,
      },
    ],
    fee: '0.00',
  },
  {
    tells: 'sandbox:hold: stays on its way',
    body: { reference: 'sandbox:hold' },
    steps: [
      { at: 0, status: 'processing', wallet: LESS },
      { at: 60_000, status: 'processing', wallet: LESS },
      { at: 30 * DAY, status: 'processing', wallet: LESS },
    ],
    fee: '0.00',
  },
  {
    tells: 'sandbox:late: pending with its money held, then goes on like any other',
    body: { reference: 'sandbox:late' },
    steps: [
      { at: 0, status: 'pending', wallet: LESS },
      { at: 999, status: 'pending', wallet: LESS },
      { at: 1_500, status: 'processing', wallet: LESS },
      { at: 3_499, status: 'processing', wallet: LESS },
      { at: 3_500, status: 'completed', wallet: LESS },
    ],
    fee: '1.24',
  },
  {
    tells: 'sandbox:late looked at too early: waits on, and then goes on',
    body: { reference: 'sandbox:late' },
    steps: [
      { at: 1_000, status: 'pending', wallet: LESS },
      { at: 3_000, status: 'processing', wallet: LESS },
      { at: 3_500, status: 'completed', wallet: LESS },
    ],
    fee: '1.24',
  },
]

describe('POST /v1/payouts in sandbox, 201', () => {
  it.each(STORIES)('$tells', async ({ body, steps, fee }) => {
    const partner = await aPartner(test, { usdc: '100.00' })
    const created = await createPayout(test, partner, body)
    expect(created.statusCode).toBe(201)
    let now = 0
    for (const step of steps) {
      test.clock.advance(step.at - now)
      now = step.at
      await test.follow()
      const { status, failure_reason } = await readPayout(partner, created.json().id)
      expect({ at: now, status, reason: failure_reason, wallet: await balanceOf(test, partner) }).toEqual({
        reason: null,
        ...step,
      })
    }
    expect((await get(test, partner, '/v1/usage')).json().payouts.fees_gbp).toBe(fee)
  })

  it('shows the failure of an account number ending 0000 in the answer itself', async () => {
    const reply = await createPayout(test, await aPartner(test), {
      recipient: aRecipient({ account_number: '12340000' }),
    })
    expect(reply.statusCode).toBe(201)
    expect(reply.json()).toMatchObject({ status: 'failed', failure_reason: UNKNOWN_ACCOUNT })
  })

  it.each(['00000000', '99990000', '00010000'])('always fails %s, whatever the reference says', async (number) => {
    for (const reference of ['Invoice 1042', 'sandbox:return', 'sandbox:down', 'sandbox:reject', 'sandbox:late']) {
      const partner = await aPartner(test, { usdc: '100.00' })
      const reply = await createPayout(test, partner, { reference, recipient: aRecipient({ account_number: number }) })
      expect(reply.statusCode).toBe(201)
      expect(reply.json().status).toBe('failed')
      expect(await balanceOf(test, partner)).toBe(FULL)
    }
  })

  it.each([
    { number: '00001234', why: 'the zeros are in front' },
    { number: '12300001', why: 'the zeros are in the middle' },
    { number: '12345000', why: 'three zeros' },
    { number: '99999999', why: 'all nines' },
    { number: '12345678', why: 'the one that everybody types' },
    { number: '11111111', why: 'all ones' },
  ])('settles a payout to $number like any other: $why', async ({ number }) => {
    expect(await storyOf({ recipient: aRecipient({ account_number: number }) })).toEqual(['processing', 'completed'])
  })

  it.each([
    { reference: 'sandbox', why: 'no story' },
    { reference: 'sandbox:', why: 'an empty story' },
    { reference: 'sandbox:returned', why: 'another word' },
    { reference: 'sandbox:failure', why: 'another word' },
    { reference: 'sandbox: fail', why: 'a space in between' },
    { reference: 'Sandbox:fail', why: 'upper case' },
    { reference: 'sandbox:FAIL', why: 'upper case' },
    { reference: 'Invoice sandbox:fail', why: 'does not begin with it' },
    { reference: 'sandbox:settle', why: 'what happens anyway' },
    { reference: 'sandbox:refuse', why: 'only the account number does that' },
    { reference: 'live:fail', why: 'another prefix' },
    { reference: 'fail', why: 'no prefix' },
  ])('settles a payout with the reference $reference like any other: $why', async ({ reference }) => {
    expect(await storyOf({ reference })).toEqual(['processing', 'completed'])
  })

  it.each(['sandbox:fail Invoice 1042', 'sandbox:fail-2', 'sandbox:fail:again', ' sandbox:fail'])(
    'reads the story from a reference that goes on: "%s"',
    async (reference) => {
      expect(await storyOf({ reference })).toEqual(['processing', 'failed'])
    },
  )

  it.each([
    { sort_code: '000000', why: 'all zeros' },
    { sort_code: '999999', why: 'no bank has it' },
    { sort_code: '040004', why: 'a real one' },
  ])('settles a payout to the sort code $sort_code like any other: $why', async ({ sort_code }) => {
    const recipient = aRecipient()
    expect(await storyOf({ recipient: { ...recipient, bank: { ...recipient.bank, sort_code } } })).toEqual([
      'processing',
      'completed',
    ])
  })

  it.each(['1.00', '6.66', '404.00', '500.00'])('settles a payout of %s like any other', async (amount) => {
    expect(await storyOf({ amount_gbp: amount })).toEqual(['processing', 'completed'])
  })
})

describe('POST /v1/payouts in sandbox, 422', () => {
  it('sandbox:reject: the bank refuses the details, nothing is created and the wallet is as it was', async () => {
    const partner = await aPartner(test, { usdc: '100.00' })
    const reply = await createPayout(test, partner, { reference: 'sandbox:reject' })
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error.code).toBe('recipient_account_rejected')
    await expectNothing(partner)
  })
})

describe('POST /v1/payouts in sandbox, 502', () => {
  it('sandbox:down: the bank cannot be asked, nothing is created and the wallet is as it was', async () => {
    const partner = await aPartner(test, { usdc: '100.00' })
    const reply = await createPayout(test, partner, { reference: 'sandbox:down' })
    expect(reply.statusCode).toBe(502)
    expect(reply.json().error.code).toBe('payout_not_created')
    expect(reply.headers['retry-after']).toBe('5')
    await expectNothing(partner)
  })
})

describe('POST /v1/payouts in live, 201', () => {
  it.each(['return', 'fail', 'hold', 'late', 'reject', 'down', 'cancel'])(
    'takes the reference sandbox:%s for what it is: words',
    async (story) => {
      const live = await inLive(test, await aPartner(test), '100.00')
      const created = await createPayout(test, live, { reference: `sandbox:${story}` })
      expect(created.statusCode).toBe(201)
      expect(created.json()).toMatchObject({ status: 'processing', reference: `sandbox:${story}` })
      test.clock.advance(2_000)
      await test.follow()
      expect((await readPayout(live, created.json().id)).status).toBe('completed')
      expect(await balanceOf(test, live)).toBe(FULL - 31_670_000n)
    },
  )

  it('pays an account number ending 0000 like any other', async () => {
    const live = await inLive(test, await aPartner(test), '100.00')
    const created = await createPayout(test, live, { recipient: aRecipient({ account_number: '12490000' }) })
    expect(created.json()).toMatchObject({ status: 'processing', failure_reason: null })
    test.clock.advance(2_000)
    await test.follow()
    expect((await readPayout(live, created.json().id)).status).toBe('completed')
  })
})

const readPayout = async (partner: TestPartner, id: string) => (await get(test, partner, `/v1/payouts/${id}`)).json()

/** The statuses that a payout is created with and comes to. */
async function storyOf(body: PayoutBody): Promise<[string, string]> {
  const partner = await aPartner(test)
  const created = (await createPayout(test, partner, body)).json()
  test.clock.advance(10_000)
  await test.follow()
  return [created.status, (await readPayout(partner, created.id)).status]
}

async function expectNothing(partner: TestPartner): Promise<void> {
  expect(await balanceOf(test, partner)).toBe(FULL)
  test.clock.advance(DAY)
  await test.follow()
  expect(await balanceOf(test, partner)).toBe(FULL)
  expect((await get(test, partner, '/v1/payouts')).json().data).toEqual([])
  expect((await get(test, partner, '/v1/usage')).json().payouts).toMatchObject({ count: 0, fees_gbp: '0.00' })
}
