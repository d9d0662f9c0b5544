import type { PayoutTimeline } from '@kestrel/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { type BankApp, startBankApp } from '../support/bank-app.ts'
import {
  type TestPartner,
  aPartner,
  aPayoutBody,
  aRecipient,
  anIdempotencyKey,
  anObligingRail,
  createPayout,
  get,
  sql,
} from '../support/fixtures.ts'
import { inPlaceOf } from '../support/in-place-of.ts'
import { ask, signedIn } from '../support/sessions.ts'

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
  partner = await aPartner(test)
})
afterAll(() => test.close())

const timeline = async (id: string, who: Pick<TestPartner, 'key'> = partner): Promise<PayoutTimeline> =>
  (await get(test, who, `/v1/payouts/${id}/timeline`)).json()

const kinds = ({ data }: PayoutTimeline) => data.map(({ kind }) => kind)

async function pay(body: Parameters<typeof aPayoutBody>[0] = {}, waitMs = 0): Promise<string> {
  const reply = await createPayout(test, partner, body)
  expect(reply.statusCode).toBe(201)
  for (let passed = 0; passed < waitMs; passed += 500) {
    test.clock.advance(500)
    await test.follow()
  }
  return reply.json().id
}

describe('GET /v1/payouts/{id}/timeline, 200', () => {
  it('tells of a payout that completes: when, by whom, and what moved', async () => {
    const key = anIdempotencyKey()
    const { id, created_at: createdAt } = (await createPayout(test, partner, {}, { 'idempotency-key': key })).json()
    expect(await timeline(id)).toMatchObject({ next: 'It usually arrives within minutes.' })
    test.clock.advance(2_000)
    await test.follow()
    const told = await timeline(id)
    const by = partner.key.slice(0, 'kp_sandbox_'.length + 6)
    expect(told).toMatchObject({
      object: 'list',
      data: [
        { at: createdAt, kind: 'created', by, usdc: null, detail: 'Through the API.' },
        { at: createdAt, kind: 'reserved', by: null, usdc: '32.07' },
        { kind: 'sent', by: null, usdc: '32.07' },
        { kind: 'completed', by: null, usdc: '32.07' },
      ],
      quote: { gbp_per_usd: 0.79, fee_in_transfer_gbp: '0.33', fee_on_invoice_gbp: '0.91' },
      idempotency_key: key,
      is_cancellable: false,
      next: null,
    })
    const { updated_at: updatedAt } = (await get(test, partner, `/v1/payouts/${id}`)).json()
    expect(told.data.at(-1)?.at).toBe(updatedAt)
    expect(told.data.map(({ at }) => at)).toEqual(told.data.map(({ at }) => at).toSorted())
  })

  it('names the member who paid from the dashboard', async () => {
    const member = await signedIn(test, partner)
    const headers = { 'idempotency-key': anIdempotencyKey() }
    const made = await ask(test, member, { method: 'POST', url: '/v1/payouts', payload: aPayoutBody(), headers })
    const [created] = (await timeline(made.json().id)).data
    expect(created).toMatchObject({ kind: 'created', by: member.email, detail: 'From the dashboard.' })
  })

  it('tells of one that fails at once, with the reason and the money back', async () => {
    const told = await timeline(await pay({ recipient: aRecipient({ account_number: '12340000' }) }))
    expect(kinds(told)).toEqual(['created', 'reserved', 'failed', 'refunded'])
    expect(told.data[2]?.detail).toContain('The bank rejected the account details')
    expect(told.data[3]).toMatchObject({ usdc: '32.07', detail: 'Back in the wallet.' })
    expect(told.next).toBeNull()
  })

  it('tells of a return as something that came after completion', async () => {
    const told = await timeline(await pay({ reference: 'sandbox:return' }, 5_000))
    expect(kinds(told)).toEqual(['created', 'reserved', 'sent', 'completed', 'returned', 'refunded'])
    const [completed, returned] = [told.data[3]!, told.data[4]!]
    expect(returned.at > completed.at).toBe(true)
    expect(returned.detail).toBe('The account is closed.')
  })

  it('tells of a cancellation', async () => {
    const told = await timeline(await pay({ reference: 'sandbox:cancel' }, 3_000))
    expect(kinds(told)).toEqual(['created', 'reserved', 'sent', 'cancelled', 'refunded'])
  })

  it('says that the bank is being waited for, and still says so afterwards', async () => {
    const id = await pay({ reference: 'sandbox:late' })
    const waiting = await timeline(id)
    expect(kinds(waiting)).toEqual(['created', 'reserved', 'waiting'])
    expect(waiting.next).toContain('We keep asking the bank')
    for (let second = 0; second < 5; second++) {
      test.clock.advance(1_000)
      await test.follow()
    }
    expect(kinds(await timeline(id))).toEqual(['created', 'reserved', 'waiting', 'sent', 'completed'])
  })

  it('leaves out an attempt that came to nothing', async () => {
    const rail = anObligingRail()
    const down = { ...rail, submit: () => Promise.resolve({ kind: 'not_sent', reason: 'Down.' } as const) }
    const own = await startTestApp({ rail: down })
    const who = await aPartner(own)
    const key = { 'idempotency-key': anIdempotencyKey() }
    await createPayout(own, who, {}, key)
    Object.assign(own.deps.rails, { simulated: inPlaceOf(own.deps.rails.simulated, rail) })
    const { id } = (await createPayout(own, who, {}, key)).json()
    const told: PayoutTimeline = (await get(own, who, `/v1/payouts/${id}/timeline`)).json()
    expect(kinds(told)).toEqual(['created', 'reserved', 'sent'])
    await own.close()
  })

  it('still makes sense of payouts from before it was kept who made them and when they ended', async () => {
    const id = await pay({ recipient: aRecipient({ account_number: '12340000' }) })
    await sql(test, 'update payouts set created_by = null, ended_at = null where id = $1', [id])
    const told = await timeline(id)
    expect(told.data[0]?.by).toBeNull()
    expect(told.data[2]).toMatchObject({ kind: 'failed', at: told.data[3]?.at })
  })
})

describe('GET /v1/payouts/{id}/timeline, 404', () => {
  it("gives the same answer for unknown, malformed and other partners' ids", async () => {
    const foreign = (await createPayout(test, await aPartner(test))).json().id
    const bodies = []
    for (const id of [foreign, '019a8a00-0000-7000-8000-000000000000', 'nothing']) {
      const reply = await get(test, partner, `/v1/payouts/${id}/timeline`)
      expect(reply.statusCode).toBe(404)
      const { request_id: _id, ...said } = reply.json().error
      bodies.push(said)
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  })

  it('has no other parameters, and wants a caller', async () => {
    const id = await pay()
    expect((await get(test, partner, `/v1/payouts/${id}/timeline?limit=1`)).statusCode).toBe(422)
    expect((await test.request({ url: `/v1/payouts/${id}/timeline` })).statusCode).toBe(401)
  })
})

describe('with a bank', () => {
  let bank: BankApp
  beforeAll(async () => {
    bank = await startBankApp()
  })
  afterAll(() => bank.close())

  it('says whether a payout can be stopped, and that money is on its way back', async () => {
    const who = await bank.aConnectedPartner()
    await bank.bank.standStill()
    const told = async (id: string): Promise<PayoutTimeline> =>
      (await get(bank, who, `/v1/payouts/${id}/timeline`)).json()
    const { id } = (await createPayout(bank, who)).json()
    expect((await told(id)).is_cancellable).toBe(true)
    const transfer = (await bank.bank.books()).transfers.find((each) => each.client_reference_id === id)!
    const steer = async (action: string) => {
      await bank.bank.control('POST', `/transfers/${transfer.id}/${action}`)
      await bank.pass(1_000)
    }
    await steer('submit')
    expect((await told(id)).is_cancellable).toBe(false)
    await steer('undeliver')
    const failed = await told(id)
    expect(kinds(failed)).toEqual(['created', 'reserved', 'sent', 'failed'])
    expect(failed.next).toBe('The money is on its way back to the wallet.')
    await steer('refund')
    const back = await told(id)
    expect(kinds(back)).toEqual(['created', 'reserved', 'sent', 'failed', 'refunded'])
    expect(back.data[4]!.at > back.data[3]!.at).toBe(true)
  })
})
