// Chosen endings and test money: the bank is told, and what it says is recorded as always.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { createSandboxControls } from '../../src/rail/provider/sandbox-control-client.ts'
import { type BankApp, balanceAtBank, startBankApp } from '../support/bank-app.ts'
import { type TestPartner, aRecipient, balanceOf, createPayout, get, inLive } from '../support/fixtures.ts'
import { type TestMember, ask, signedIn } from '../support/sessions.ts'

let test: BankApp
let partner: TestPartner
let admin: TestMember
beforeAll(async () => {
  test = await startBankApp()
  partner = await test.aConnectedPartner()
  admin = await signedIn(test, partner)
  await test.bank.standStill()
})
afterAll(() => test.close())

const pay = async (body: Parameters<typeof createPayout>[2] = {}): Promise<string> =>
  (await createPayout(test, partner, body)).json().id

const simulate = (id: string, outcome: unknown, member: Pick<TestMember, 'cookie'> = admin, query = '') =>
  ask(test, member, {
    method: 'POST',
    url: `/v1/sandbox/payouts/${id}/simulate${query}`,
    payload: { outcome },
  })

const topUp = (payload: object, member: Pick<TestMember, 'cookie'> = admin, query = '') =>
  ask(test, member, { method: 'POST', url: `/v1/sandbox/top-up${query}`, payload })

describe('POST /v1/sandbox/payouts/{id}/simulate, 200', () => {
  it.each([
    ['settle', 'completed'],
    ['return', 'returned'],
    ['fail', 'failed'],
    ['cancel', 'cancelled'],
  ])('%s makes a payout %s, and the money is where it belongs', async (outcome, status) => {
    const before = await balanceOf(test, partner)
    const id = await pay()
    const reply = await simulate(id, outcome)
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({ id, status })
    expect((await get(test, partner, `/v1/payouts/${id}`)).json()).toEqual(reply.json())
    const spent = status === 'completed' ? 32_070_000n : 0n
    expect(await balanceOf(test, partner)).toBe(before - spent)
    expect(await balanceAtBank(test, partner)).toBe(before - spent)
  })

  it.each(['settle', 'return', 'fail', 'cancel'])('%s works on one that the bank has handed over', async (outcome) => {
    const id = await pay()
    const transfer = (await test.bank.books()).transfers.find((each) => each.client_reference_id === id)!
    await test.bank.control('POST', `/transfers/${transfer.id}/submit`)
    expect((await simulate(id, outcome)).statusCode).toBe(200)
  })

  it.each(['return', 'fail', 'cancel'])(
    '%s brings the money back of one that we know was handed over, and nobody is called',
    async (outcome) => {
      const before = await balanceOf(test, partner)
      const id = await pay()
      const transfer = (await test.bank.books()).transfers.find((each) => each.client_reference_id === id)!
      await test.bank.control('POST', `/transfers/${transfer.id}/submit`)
      await sweepTransfers(test.deps, 'sandbox')
      const alarms = test.alarms.length
      expect((await simulate(id, outcome)).json()).toMatchObject({ id, refunded_at: expect.any(String) })
      await sweepTransfers(test.deps, 'sandbox')
      expect(test.alarms.slice(alarms)).toEqual([])
      expect([await balanceOf(test, partner), await balanceAtBank(test, partner)]).toEqual([before, before])
    },
  )

  it('returns what has arrived, as a later event', async () => {
    const id = await pay()
    await simulate(id, 'settle')
    expect((await simulate(id, 'return')).json().status).toBe('returned')
    const { data } = (await get(test, partner, `/v1/payouts/${id}/timeline`)).json()
    expect((data as { kind: string }[]).map(({ kind }) => kind)).toEqual([
      'created',
      'reserved',
      'sent',
      'completed',
      'returned',
      'refunded',
    ])
  })

  it('goes on where a request before was cut off, until the money is back', async () => {
    const before = await balanceOf(test, partner)
    for (const [step, outcome, status] of [
      ['undeliver', 'fail', 'failed'],
      ['return', 'return', 'returned'],
    ] as const) {
      const id = await pay()
      if (outcome === 'return') await simulate(id, 'settle')
      const transfer = (await test.bank.books()).transfers.find((each) => each.client_reference_id === id)!
      await test.bank.control('POST', `/transfers/${transfer.id}/${step}`)
      const [cut, both] = await Promise.all([simulate(id, outcome), simulate(id, outcome)])
      expect([cut.statusCode, both.statusCode]).toContain(200)
      const now = (await get(test, partner, `/v1/payouts/${id}`)).json()
      expect([now.status, now.refunded_at]).toEqual([status, expect.any(String)])
      expect((await simulate(id, outcome)).statusCode).toBe(409)
    }
    expect(await balanceOf(test, partner)).toBe(before)
    expect(await balanceAtBank(test, partner)).toBe(before)
  })

  it('is in activity, by the payout', async () => {
    const id = await pay()
    await simulate(id, 'settle')
    const [entry] = (await get(test, partner, '/v1/activity?limit=1')).json().data
    expect(entry).toMatchObject({ action: 'payout.simulate', by: admin.email, detail: id })
  })

  it('changes nothing twice when two people do it at once', async () => {
    const before = await balanceOf(test, partner)
    const id = await pay()
    const replies = await Promise.all([simulate(id, 'fail'), simulate(id, 'fail')])
    expect(replies.map((reply) => reply.statusCode)).toContain(200)
    expect(await balanceOf(test, partner)).toBe(before)
  })
})

describe('POST /v1/sandbox/payouts/{id}/simulate, refused', () => {
  it('is 409 for what is at rest, and says how it is', async () => {
    const failed = await pay({ recipient: aRecipient({ account_number: '12340000' }) })
    const completed = await pay()
    await simulate(completed, 'settle')
    for (const [id, outcome, status] of [
      [failed, 'settle', 'failed'],
      [completed, 'fail', 'completed'],
      [completed, 'cancel', 'completed'],
    ] as const) {
      const reply = await simulate(id, outcome)
      expect(reply.statusCode).toBe(409)
      expect(reply.json().error).toMatchObject({ code: 'simulation_unavailable', details: { status } })
    }
  })

  it('is 409 where the bank is not our own', async () => {
    const id = await pay()
    const { sandboxControls } = test.deps
    Object.assign(test.deps, { sandboxControls: null })
    const replies = [await simulate(id, 'settle'), await topUp({ usdc: '1.00', source: 'bank' })]
    Object.assign(test.deps, { sandboxControls })
    for (const reply of replies)
      expect([reply.statusCode, reply.json().error.code]).toEqual([409, 'simulation_unavailable'])
  })

  it("gives the same 404 for unknown, malformed and other partners' payouts", async () => {
    const foreign = (await createPayout(test, await test.anUnconnectedPartner())).json().id
    for (const id of [foreign, '019a8a00-0000-7000-8000-000000000000', 'nothing']) {
      expect((await simulate(id, 'settle')).statusCode).toBe(404)
    }
  })

  it.each([undefined, 'explode', null, ['settle']])('is 422 for the outcome %j', async (outcome) => {
    const reply = await simulate(await pay(), outcome)
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error.details).toMatchObject({ fields: ['outcome (settle, return, fail or cancel)'] })
  })

  it('is not for viewers', async () => {
    const id = await pay()
    const viewer = await signedIn(test, partner, { role: 'viewer' })
    expect((await simulate(id, 'settle', viewer)).statusCode).toBe(403)
    expect((await topUp({ usdc: '1.00', source: 'bank' }, viewer)).statusCode).toBe(403)
  })

  it('is 502 when the bank does not answer, and nothing has changed', async () => {
    const id = await pay()
    const { sandboxControls } = test.deps
    Object.assign(test.deps, { sandboxControls: createSandboxControls({ url: 'http://127.0.0.1:1', key: 'none' }) })
    const replies = [await simulate(id, 'settle'), await topUp({ usdc: '1.00', source: 'bank' })]
    Object.assign(test.deps, { sandboxControls })
    expect(replies.map((reply) => [reply.statusCode, reply.json().error.code])).toEqual([
      [502, 'bank_unavailable'],
      [502, 'bank_unavailable'],
    ])
    expect((await get(test, partner, `/v1/payouts/${id}`)).json().status).toBe('processing')
  })
})

describe('POST /v1/sandbox/top-up', () => {
  it.each(['bank', 'chain'] as const)(
    'by %s is in the wallet, here and at the bank, and among the deposits',
    async (source) => {
      const before = await balanceOf(test, partner)
      const reply = await topUp({ usdc: '500.00', source })
      expect(reply.statusCode).toBe(202)
      expect(reply.json()).toEqual({ object: 'top_up', usdc: '500.00', source })
      expect(await balanceOf(test, partner)).toBe(before + 500_000_000n)
      expect(await balanceAtBank(test, partner)).toBe(before + 500_000_000n)
      const [deposit] = (await get(test, partner, '/v1/funding')).json().deposits
      expect(deposit).toMatchObject({ source, usdc: '500.00' })
    },
  )

  it('waits for a wallet that the bank does not know yet', async () => {
    const member = await signedIn(test, await test.anUnconnectedPartner())
    const reply = await topUp({ usdc: '1.00', source: 'bank' }, member)
    expect(reply.statusCode).toBe(409)
    expect(reply.json().error.message).toContain('not connected to the sandbox bank yet')
  })

  it('never tops up somebody else, nor live', async () => {
    const other = await test.aConnectedPartner()
    const live = await inLive(test, other)
    const before = [await balanceOf(test, other), await balanceOf(test, live)]
    await topUp({ usdc: '2.00', source: 'chain' })
    expect([await balanceOf(test, other), await balanceOf(test, live)]).toEqual(before)
  })

  it.each(['0.99', '0.00', '100000.01', '99999999999999.00', '5', '-5.00', '1e3', 5])(
    'refuses %s USDC',
    async (usdc) => {
      const reply = await topUp({ usdc, source: 'bank' })
      expect(reply.statusCode).toBe(422)
      expect(reply.json().error.details).toMatchObject({ fields: ['usdc (1.00 to 100000.00, with two decimals)'] })
    },
  )

  it.each(['1.00', '100000.00'])('takes %s USDC', async (usdc) => {
    expect((await topUp({ usdc, source: 'chain' })).statusCode).toBe(202)
  })

  it('refuses another source', async () => {
    const reply = await topUp({ usdc: '5.00', source: 'card' })
    expect(reply.json().error.details).toMatchObject({ fields: ['source (bank or chain)'] })
  })

  it('is taken although what came of it cannot be read at once, and arrives once', async () => {
    const before = await balanceOf(test, partner)
    const route = 'GET /v0/virtual_accounts/history'
    await test.bank.control('POST', '/faults', { route, mode: '500_before', times: 5 })
    expect((await topUp({ usdc: '3.00', source: 'bank' })).statusCode).toBe(202)
    expect((await test.bank.requests()).some(({ fault }) => fault === '500_before')).toBe(true)
    expect(await balanceOf(test, partner)).toBe(before)
    await test.bank.control('DELETE', '/faults')
    await test.pass(1_000)
    expect(await balanceOf(test, partner)).toBe(before + 3_000_000n)
  })

  it('is refused after very many, and adds nothing then', async () => {
    const own = await test.aConnectedPartner()
    const member = await signedIn(test, own)
    const replies: number[] = []
    for (let nth = 0; nth < 300 && !replies.includes(429); nth++)
      replies.push((await topUp({ usdc: '1.00', source: 'chain' }, member)).statusCode)
    expect(replies.at(-1)).toBe(429)
    const taken = replies.filter((status) => status === 202).length
    expect(taken).toBeGreaterThanOrEqual(50)
    expect(await balanceOf(test, own)).toBe(10_000_000_000n + BigInt(taken) * 1_000_000n)
  })
})
