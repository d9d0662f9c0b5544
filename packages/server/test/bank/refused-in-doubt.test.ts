// A payout that the bank left us in doubt about, and what ends it: a refusal that proves that the bank has nothing, never
// one that proves less; and nothing is sent any more for a partner that may not pay.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { resolvePayout } from '../../src/domain/banking/operator/resolve-payout.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { releasePayout } from '../../src/domain/payouts/follow/release-payout.ts'
import type { PayoutRail, SubmitAnswer } from '../../src/rail/port.ts'
import { type BankApp, startBankApp } from '../support/bank-app.ts'
import {
  FOLLOWED_NOW,
  type TestPartner,
  anIdempotencyKey,
  balanceOf,
  createPayout,
  get,
  sql,
} from '../support/fixtures.ts'
import { type LyingBank, startLyingBank } from '../support/lying-bank.ts'

const FLOAT = 10_000_000_000n
const SENT = 32_070_000n
const POST = 'POST /v0/transfers'
const RATE = 'GET /v0/exchange_rates'
const HOUR_MS = 60 * 60_000

let test: BankApp
let lying: LyingBank
let partner: TestPartner
beforeAll(async () => {
  test = await startBankApp({
    through: async (bank) => {
      lying = await startLyingBank(bank.provider)
      return lying.provider
    },
  })
  await test.bank.standStill()
})
afterAll(async () => {
  await test.close()
  await lying.close()
})
beforeEach(async () => {
  lying.lieAbout('/transfers', null)
  await test.bank.control('DELETE', '/faults')
  await test.bank.control('POST', '/rate', { rate: '0.79' })
  await test.moveClocks(31_000)
  partner = await test.aConnectedPartner()
  // The recipient is known, so that only the transfer is asked for. What the bank has not drawn yet proves nothing.
  await handOver((await createPayout(test, partner)).json<{ id: string }>().id)
})

async function handOver(id: string): Promise<void> {
  await test.bank.control('POST', `/transfers/${(await transfersOf(id))[0]!.id}/submit`)
  await sweepTransfers(test.deps, 'sandbox')
}

const fault = (mode: string, route = POST, times = 1) => test.bank.control('POST', '/faults', { route, mode, times })

async function inDoubt(mode: 'reset_before' | 'reset_after'): Promise<string> {
  await fault(mode)
  const created = await createPayout(test, partner)
  expect(created.json()).toMatchObject({ status: 'pending' })
  return created.json<{ id: string }>().id
}

async function followAfter(...pauses: readonly number[]): Promise<void> {
  for (const pause of pauses) {
    await test.moveClocks(pause)
    await followPayouts(test.deps)
  }
}

const payout = async (id: string) => (await get(test, partner, `/v1/payouts/${id}`)).json()
const transfersOf = async (id: string) =>
  (await test.bank.books()).transfers.filter((each) => each.client_reference_id === id)
const alarmsOf = (id: string) => test.alarms.filter(({ about }) => about['payoutId'] === id).map(({ what }) => what)
const nextCheckOf = async (id: string) =>
  (
    await sql<{ at: Date | null }>(test, 'select next_check_at as at from payout_follow_ups where payout_id = $1', [id])
  )[0]?.at ?? null
const keysAskedFor = async (id: string) =>
  (await test.bank.requests(POST)).map((each) => each.idempotency_key).filter((key) => key?.startsWith(id) === true)

describe('a payout in doubt that the bank then refuses', () => {
  it('fails and is released, an hour after the last request without an answer, and is never sent', async () => {
    const id = await inDoubt('reset_before')
    await test.bank.control('POST', '/rate', { rate: '0.60' })
    await followAfter(2_000, 5_000, 50 * 60_000)
    // What was asked first may still be on its way to the bank, or on its way into the bank's list.
    expect(await payout(id)).toMatchObject({ status: 'pending' })
    expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
    await followAfter(12 * 60_000)
    expect(await payout(id)).toMatchObject({
      status: 'failed',
      failure_reason: expect.stringContaining('the money is back in the wallet') as string,
      failure_code: 'rejected_by_bank',
      retry: 'yes',
    })
    expect(alarmsOf(id)).toEqual([])
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
    await test.bank.control('POST', '/rate', { rate: '0.79' })
    await followAfter(HOUR_MS, HOUR_MS)
    expect(await transfersOf(id)).toEqual([])
    expect(new Set(await keysAskedFor(id))).toEqual(new Set([id]))
  })

  it('fails for its account where that is what the bank refuses, and nobody is told of an unknown reason', async () => {
    const id = await inDoubt('reset_before')
    lying.refuse(({ method, path }) =>
      method === 'POST' && path === '/transfers' ? { status: 400, key: 'destination.external_account_id' } : null,
    )
    await followAfter(2_000, 2 * HOUR_MS)
    lying.refuse(null)
    expect(await payout(id)).toMatchObject({
      status: 'failed',
      failure_reason: expect.stringContaining('The bank rejected the account details') as string,
      failure_code: 'account_not_found',
      retry: 'after_fix',
    })
    expect(alarmsOf(id)).toEqual([])
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
  })

  it('says the same of a recipient whom the bank does not pay as where that is refused at once', async () => {
    const id = await inDoubt('reset_before')
    lying.refuse(({ method, path }) =>
      method === 'POST' && path === '/transfers' ? { status: 400, key: 'recipient', code: 'aml_violation' } : null,
    )
    const atOnce = (await createPayout(test, partner)).json()
    await followAfter(2_000, 2 * HOUR_MS)
    lying.refuse(null)
    expect(await payout(id)).toMatchObject({
      status: 'failed',
      failure_reason: expect.stringContaining('The bank does not pay this recipient') as string,
      failure_code: atOnce.error.code,
      retry: 'after_fix',
    })
    expect([atOnce.error.code, alarmsOf(id)]).toEqual(['invalid_recipient', []])
    const found = (await get(test, partner, '/v1/payouts?failure_code=invalid_recipient')).json()
    expect(found.data.map((each: { id: string }) => each.id)).toEqual([id])
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
  })

  it('is found, and not failed, where the bank judges the request before it looks at the key', async () => {
    const id = await inDoubt('reset_after')
    await test.bank.query('delete from idempotency_keys where key = $1', [id])
    await test.bank.control('POST', '/rate', { rate: '0.60' })
    await followAfter(2_000, 70_000)
    expect(await payout(id)).toMatchObject({ status: 'processing' })
    expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
    expect(await transfersOf(id)).toHaveLength(1)
  })

  it('is not failed while the bank’s list may show it late', async () => {
    const id = await inDoubt('reset_after')
    await test.bank.query('delete from idempotency_keys where key = $1', [id])
    await test.bank.control('POST', '/rate', { rate: '0.60' })
    lying.lieAbout('/transfers', (rows) => rows.filter((row) => row['client_reference_id'] !== id))
    await followAfter(2_000, 70_000, 20 * 60_000, 30 * 60_000)
    expect(await payout(id)).toMatchObject({ status: 'pending' })
    lying.lieAbout('/transfers', null)
    await followAfter(15 * 60_000)
    expect(await payout(id)).toMatchObject({ status: 'processing' })
    expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
  })

  it('fails at once where the bank shows that it came to nothing', async () => {
    const id = await inDoubt('reset_after')
    const ref = (await transfersOf(id))[0]!.id
    for (const step of ['undeliver', 'refund']) await test.bank.control('POST', `/transfers/${ref}/${step}`)
    await followAfter(2_000, 70_000)
    expect(await payout(id)).toMatchObject({ status: 'failed' })
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
  })

  it('has nothing back before the bank has, though it answers the repeated request with how things stand', async () => {
    const id = await inDoubt('reset_after')
    const ref = (await transfersOf(id))[0]!.id
    await test.bank.control('POST', `/transfers/${ref}/undeliver`)
    const change = `update idempotency_keys set body = replace(body, '"state":"awaiting_funds"', '"state":"undeliverable"')`
    await test.bank.query(`${change} where key = $1`, [id])
    await followAfter(2_000)
    expect(await payout(id)).toMatchObject({ status: 'failed' })
    expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
    await test.bank.control('POST', `/transfers/${ref}/refund`)
    await followAfter(60_000)
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
  })

  it('has nothing back before the bank has, though it was given up, made all the same, and asked for again', async () => {
    const key = { 'idempotency-key': anIdempotencyKey() }
    lying.refuse(({ method, path }) =>
      method === 'POST' && path === '/transfers' ? { status: 429, isAfter: true } : null,
    )
    expect((await createPayout(test, partner, {}, key)).statusCode).toBe(502)
    lying.refuse(null)
    const made = (await test.bank.books()).transfers.at(-1)!
    await test.bank.control('POST', `/transfers/${made.id}/undeliver`)
    const change = `update idempotency_keys set body = replace(body, '"state":"awaiting_funds"', '"state":"undeliverable"')`
    await test.bank.query(`${change} where key = $1`, [made.client_reference_id])
    const again = await createPayout(test, partner, {}, key)
    expect([again.statusCode, again.json().id]).toEqual([201, made.client_reference_id])
    await followAfter(2_000)
    expect(await payout(made.client_reference_id!)).toMatchObject({ status: 'failed' })
    expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
    await test.bank.control('POST', `/transfers/${made.id}/refund`)
    await followAfter(60_000)
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
  })

  it('is not failed while the bank’s list cannot be read', async () => {
    const id = await inDoubt('reset_before')
    await test.bank.control('POST', '/rate', { rate: '0.60' })
    await fault('500_before', 'GET /v0/transfers', 1_000)
    await followAfter(2_000, 70_000, 70_000)
    expect(await payout(id)).toMatchObject({ status: 'pending' })
    await test.bank.control('DELETE', '/faults')
    await followAfter(HOUR_MS)
    expect(await payout(id)).toMatchObject({ status: 'failed' })
  })

  it('is not failed by a bank that is busy, that fails, or that does not answer', async () => {
    const id = await inDoubt('reset_before')
    for (const mode of ['429', '500_before', 'reset_before', '429', '429']) {
      await fault(mode)
      await followAfter(5 * 60_000)
    }
    expect(await payout(id)).toMatchObject({ status: 'pending' })
    await followAfter(10 * 60_000)
    expect(await payout(id)).toMatchObject({ status: 'processing' })
    expect(await transfersOf(id)).toHaveLength(1)
  })
})

describe('a bank that answers a key with its first refusal for ever', () => {
  /** The bank's documentation can be read so: whatever it said of a key, it says again. */
  function keepingItsRefusals(rail: PayoutRail): PayoutRail {
    const kept = new Map<string, SubmitAnswer>()
    return {
      ...rail,
      submit: async (request) => {
        const key = `${request.clientReference}:${request.attempt}`
        const answer = kept.get(key) ?? (await rail.submit(request))
        if (answer.kind === 'not_sent' || answer.kind === 'rejected') kept.set(key, answer)
        return answer
      },
    }
  }

  it('is asked under a new key after a refusal, and pays once', async () => {
    const real = test.deps.rails.provider_sandbox
    Object.assign(test.deps.rails, { provider_sandbox: keepingItsRefusals(real) })
    try {
      const key = { 'idempotency-key': anIdempotencyKey() }
      await test.bank.control('POST', '/rate', { rate: '0.60' })
      // The rate is asked for again when it is a second old.
      await test.moveClocks(1_000)
      await fault('500_before', RATE)
      expect((await createPayout(test, partner, {}, key)).statusCode).toBe(502)
      const paid = await createPayout(test, partner, {}, key)
      expect(paid.statusCode).toBe(201)
      const { id } = paid.json<{ id: string }>()
      // One more for the refusal, and one for the amount, which is another at the new rate.
      expect((await keysAskedFor(id)).toReversed()).toEqual([id, `${id}:3`])
      expect(await transfersOf(id)).toHaveLength(1)
    } finally {
      Object.assign(test.deps.rails, { provider_sandbox: real })
    }
  })

  it('is asked under the same key again when nothing was refused', async () => {
    const key = { 'idempotency-key': anIdempotencyKey() }
    await fault('429')
    expect((await createPayout(test, partner, {}, key)).statusCode).toBe(502)
    const { id } = (await createPayout(test, partner, {}, key)).json<{ id: string }>()
    expect(await keysAskedFor(id)).toEqual([id, id])
  })
})

describe('a payout that was given up although the bank has it', () => {
  const idOf = async (key: string) =>
    (await sql<{ id: string }>(test, 'select id from payouts where idempotency_key = $1', [key]))[0]!.id

  /** The bank acts, says that it does not, and forgets the key; then its list is read. */
  async function givenUp(said: { isVerdict?: true }): Promise<{ key: { 'idempotency-key': string }; id: string }> {
    const real = test.deps.rails.provider_sandbox
    const submit: PayoutRail['submit'] = async (request) => {
      await real.submit(request)
      return { kind: 'not_sent', reason: 'The bank says no.', ...said }
    }
    Object.assign(test.deps.rails, { provider_sandbox: { ...real, submit } })
    const key = { 'idempotency-key': anIdempotencyKey() }
    const refused = await createPayout(test, partner, {}, key)
    Object.assign(test.deps.rails, { provider_sandbox: real })
    expect(refused.statusCode).toBe(502)
    const id = await idOf(key['idempotency-key'])
    await test.bank.query('delete from idempotency_keys where key = $1', [id])
    await sweepTransfers(test.deps, 'sandbox')
    expect(alarmsOf(id)).toEqual(['the bank has a transfer for a payout that was given up'])
    return { key, id }
  }

  it.each([
    { said: 'it was refused', isVerdict: true as const },
    { said: 'the bank was busy', isVerdict: undefined },
  ])('because $said takes that transfer when the request is repeated, and asks for none', async ({ isVerdict }) => {
    const { key, id } = await givenUp(isVerdict === undefined ? {} : { isVerdict })
    await test.moveClocks(25 * HOUR_MS)
    const again = await createPayout(test, partner, {}, key)
    expect([again.statusCode, again.json()]).toMatchObject([201, { id, status: 'processing' }])
    expect([await keysAskedFor(id), await transfersOf(id)]).toMatchObject([[id], [{}]])
    expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
  })

  it('waits for that transfer while it cannot be read, and asks for none', async () => {
    const { key, id } = await givenUp({ isVerdict: true })
    lying.refuse(({ path }) => (path.startsWith('/transfers/') ? 500 : null))
    expect((await createPayout(test, partner, {}, key)).json()).toMatchObject({ id, status: 'pending' })
    await followAfter(2_000)
    expect(await payout(id)).toMatchObject({ status: 'pending' })
    lying.refuse(null)
    await followAfter(5_000)
    expect(await payout(id)).toMatchObject({ status: 'processing' })
    expect([await keysAskedFor(id), await transfersOf(id)]).toMatchObject([[id], [{}]])
    expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
  })
})

describe('a payout in doubt of a partner that may not pay any more', () => {
  const put = (status: string) =>
    sql(test, `update partners set status = $2, closed_at = case when $2 = 'closed' then now() end where id = $1`, [
      partner.id,
      status,
    ])

  it.each(['suspended', 'closed'])(
    'is not sent again while it is %s, and somebody is told when the bank forgets',
    async (status) => {
      const id = await inDoubt('reset_before')
      await put(status)
      await followAfter(2_000, 10_000, HOUR_MS, 10 * HOUR_MS)
      expect(await transfersOf(id)).toEqual([])
      expect(await keysAskedFor(id)).toEqual([id])
      await followAfter(13 * HOUR_MS, HOUR_MS)
      const told = test.alarms.filter(({ about }) => about['payoutId'] === id).map(({ what }) => what)
      expect(told).toEqual(['a payout is without an answer for longer than the bank remembers'])
      await put('active')
      expect(await payout(id)).toMatchObject({ status: 'pending' })
      expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
    },
  )

  it('is found if the bank has it, and is asked for again once the partner may pay', async () => {
    const had = await inDoubt('reset_after')
    const not = await inDoubt('reset_before')
    await put('suspended')
    await followAfter(5_000)
    await put('active')
    expect(await payout(had)).toMatchObject({ status: 'processing' })
    expect(await payout(not)).toMatchObject({ status: 'pending' })
    await followAfter(10_000)
    expect(await payout(not)).toMatchObject({ status: 'processing' })
    expect(await transfersOf(not)).toHaveLength(1)
  })
})

describe('a payout in doubt of which the bank’s list has more than one', () => {
  const second = '0190a000-0000-7000-8000-00000000000a'

  /** The transfer of the payout is listed a second time, as another one. */
  function listAnother(id: string, other: Record<string, unknown>): void {
    lying.lieAbout('/transfers', (rows) =>
      rows.flatMap((row) => (row['client_reference_id'] === id ? [{ ...row, id: second, ...other }, row] : [row])),
    )
  }
  const transferOf = async (id: string) =>
    (await sql<{ ref: string | null }>(test, 'select provider_ref as ref from payouts where id = $1', [id]))[0]!.ref

  it('has the one that still has the money, and somebody is told of the other', async () => {
    const id = await inDoubt('reset_after')
    const ref = (await transfersOf(id))[0]!.id
    await test.bank.control('POST', `/transfers/${ref}/submit`)
    listAnother(id, { state: 'refunded' })
    await test.bank.query('delete from idempotency_keys where key = $1', [id])
    await test.moveClocks(24 * HOUR_MS)
    await followPayouts(test.deps)
    expect([await payout(id), await transferOf(id)]).toEqual([expect.objectContaining({ status: 'processing' }), ref])
    expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
    expect(test.alarms.filter(({ about }) => about['payoutId'] === id)).toMatchObject([
      { what: 'the bank has another transfer under a payout’s reference', about: { transferRef: second } },
    ])
  })

  it('has its own customer’s, and never another’s', async () => {
    const id = await inDoubt('reset_after')
    lying.lieAbout('/transfers', (rows) =>
      rows.map((row) => (row['client_reference_id'] === id ? { ...row, id: second, on_behalf_of: 'somebody' } : row)),
    )
    await test.bank.query('delete from idempotency_keys where key = $1', [id])
    await test.bank.control('POST', '/rate', { rate: '0.60' })
    await followAfter(2_000, 2 * HOUR_MS, 2 * HOUR_MS)
    // Neither is it this payout's, nor does it prove that there is none.
    expect([await payout(id), await transferOf(id)]).toEqual([expect.objectContaining({ status: 'pending' }), null])
    expect(test.alarms.filter(({ about }) => about['payoutId'] === id)).toMatchObject([
      { what: 'the bank has another transfer under a payout’s reference', about: { transferRef: second } },
    ])
    await test.moveClocks(24 * HOUR_MS)
    await expect(releasePayout(test.deps, id, 'it is not there')).rejects.toThrow(/another customer’s/)
    expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
  })

  it('is not released, nor given one of the two by an operator who does not say which', async () => {
    const id = await inDoubt('reset_after')
    listAnother(id, {})
    await test.moveClocks(26 * HOUR_MS)
    await expect(releasePayout(test.deps, id, 'it is not there')).rejects.toThrow(/2 transfers/)
    const word = { ending: 'completed', transferRef: null, reason: 'so they say' } as const
    await expect(resolvePayout(test.deps, id, word)).rejects.toThrow(/--transfer/)
    expect([await payout(id), await transferOf(id)]).toEqual([expect.objectContaining({ status: 'pending' }), null])
  })
})

describe('a payout that is in doubt no more, and has no transfer', () => {
  it('is not sent, and not looked at again, though somebody made it due', async () => {
    const id = await inDoubt('reset_before')
    await test.bank.control('POST', '/rate', { rate: '0.60' })
    await followAfter(2_000, 2 * HOUR_MS)
    expect(await payout(id)).toMatchObject({ status: 'failed' })
    await test.bank.control('POST', '/rate', { rate: '0.79' })
    await sql(test, FOLLOWED_NOW, [id])
    const asked = await keysAskedFor(id)
    await followAfter(1_000)
    expect([await keysAskedFor(id), await transfersOf(id), await nextCheckOf(id)]).toEqual([asked, [], null])
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
  })

  it('stays at rest when a second release comes too late', async () => {
    const id = await inDoubt('reset_before')
    await test.moveClocks(26 * HOUR_MS)
    const real = test.deps.rails.provider_sandbox
    const slow: PayoutRail = {
      ...real,
      findTransfers: async (sought) => {
        // The first one's lease ends while the bank is thinking, and a second one is quicker.
        Object.assign(test.deps.rails, { provider_sandbox: real })
        await test.moveClocks(61_000)
        await releasePayout(test.deps, id, 'the second')
        return real.findTransfers(sought)
      },
    }
    Object.assign(test.deps.rails, { provider_sandbox: slow })
    await expect(releasePayout(test.deps, id, 'the first')).rejects.toThrow(/looked at this very moment/)
    expect([await payout(id), await nextCheckOf(id)]).toEqual([expect.objectContaining({ status: 'failed' }), null])
    await followAfter(HOUR_MS)
    expect(alarmsOf(id)).toEqual([])
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
  })
})
