// Stopping a payout. Only the bank's own word makes it cancelled; whatever else happens, money is back once or not at all.
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { reconcileBank } from '../../src/domain/banking/reconcile/reconcile-bank.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { checkRefunds } from '../../src/domain/banking/refunds/check-refunds.ts'
import { cancelPayout } from '../../src/domain/payouts/follow/cancel-payout.ts'
import { type BankApp, accountAtBank, balanceAtBank, startBankApp } from '../support/bank-app.ts'
import { type TestPartner, balanceOf, createPayout, get, inLive, sql } from '../support/fixtures.ts'

const FLOAT = 10_000_000_000n
const SENT = 32_070_000n
const DELETE = 'DELETE /v0/transfers/{transferId}'

let test: BankApp
beforeAll(async () => {
  test = await startBankApp({ totalTimeoutMs: 1_500 })
  await test.bank.standStill()
})
afterAll(() => test.close())

interface Sent {
  readonly partner: TestPartner
  readonly id: string
  readonly transferId: string
}

/** A payout that the bank has and has not handed on. */
async function aWaitingPayout(): Promise<Sent> {
  const partner = await test.aConnectedPartner()
  const created = await createPayout(test, partner)
  expect(created.json()).toMatchObject({ status: 'processing' })
  const { id } = created.json<{ id: string }>()
  const { transfers } = await test.bank.books()
  return { partner, id, transferId: transfers.find((each) => each.client_reference_id === id)!.id }
}

function cancel(partner: Pick<TestPartner, 'key'>, id: string): Promise<LightMyRequestResponse> {
  const headers = { authorization: `Bearer ${partner.key}` }
  return test.request({ method: 'POST', url: `/v1/payouts/${id}/cancel`, headers })
}

const steer = (transferId: string, action: string) => test.bank.control('POST', `/transfers/${transferId}/${action}`)

async function shown({ partner, id }: Sent): Promise<Record<string, unknown>> {
  return (await get(test, partner, `/v1/payouts/${id}`)).json<Record<string, unknown>>()
}

async function stateAtBank({ transferId }: Sent): Promise<string | undefined> {
  return (await test.bank.books()).transfers.find((each) => each.id === transferId)?.state
}

/** Whether the dashboard shows its button. */
async function isOffered({ partner, id }: Sent): Promise<boolean> {
  return (await get(test, partner, `/v1/payouts/${id}/timeline`)).json<{ is_cancellable: boolean }>().is_cancellable
}

async function timesAsked(): Promise<number> {
  return (await test.bank.requests(DELETE)).length
}

/** The money is back, here and at the bank, by one entry. */
async function expectMoneyBackOnce({ partner, id }: Sent): Promise<void> {
  expect(await balanceOf(test, partner)).toBe(FLOAT)
  expect(await balanceAtBank(test, partner)).toBe(FLOAT)
  const entries = await sql<{ kind: string }>(
    test,
    `select kind from ledger_entries where cause = $1 and to_account = 'available'`,
    [id],
  )
  expect(entries).toEqual([{ kind: 'refund' }])
}

async function expectStillOut({ partner }: Sent): Promise<void> {
  expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
  expect(await balanceAtBank(test, partner)).toBe(FLOAT - SENT)
}

describe('a payout that the bank waits for the money of (awaiting_funds)', () => {
  it('is cancelled, and its money is back', async () => {
    const payout = await aWaitingPayout()
    expect(await isOffered(payout)).toBe(true)
    const reply = await cancel(payout.partner, payout.id)
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({
      id: payout.id,
      status: 'cancelled',
      failure_reason: expect.stringContaining('the money is back in the wallet'),
    })
    expect(await shown(payout)).toEqual(reply.json())
    expect(await stateAtBank(payout)).toBe('canceled')
    await expectMoneyBackOnce(payout)
    expect(await isOffered(payout)).toBe(false)
  })

  it('is cancelled where the bank has not drawn the wallet, and nothing has to come back', async () => {
    await test.bank.control('POST', '/readings', { orders_draw_the_wallet: false })
    const payout = await aWaitingPayout()
    expect([await balanceOf(test, payout.partner), await balanceAtBank(test, payout.partner)]).toEqual([
      FLOAT - SENT,
      FLOAT,
    ])
    expect(await reconcileBank(test.deps, 'sandbox')).toEqual([])
    expect((await cancel(payout.partner, payout.id)).statusCode).toBe(200)
    await expectMoneyBackOnce(payout)
    await checkRefunds(test.deps, 'sandbox')
    const open = await sql(test, 'select from refund_checks where payout_id = $1 and found_at is null', [payout.id])
    expect(open).toEqual([])
    expect(test.alarms.filter(({ about }) => about['payoutId'] === payout.id)).toEqual([])
    expect(await reconcileBank(test.deps, 'sandbox')).toEqual([])
    await test.bank.control('DELETE', '/readings')
  })

  it('is not said to have its money back while the wallet lacks it', async () => {
    await test.bank.control('POST', '/readings', { orders_draw_the_wallet: false })
    const payout = await aWaitingPayout()
    await test.bank.control('DELETE', '/readings')
    const { walletRef } = await accountAtBank(test, payout.partner)
    const adjust = (amount: string) =>
      test.bank.control('POST', `/wallets/${walletRef}/adjust`, { amount_micro: amount, reason: 'by hand' })
    await adjust('-1')
    await cancel(payout.partner, payout.id)
    await checkRefunds(test.deps, 'sandbox')
    const isOpen = async () =>
      (await sql(test, 'select from refund_checks where payout_id = $1 and found_at is null', [payout.id])).length
    expect(await isOpen()).toBe(1)
    await adjust('1')
    await test.pass(5_000)
    await checkRefunds(test.deps, 'sandbox')
    expect(await isOpen()).toBe(0)
  })

  it('stays cancelled, with its money back once, whatever is heard of it afterwards', async () => {
    const payout = await aWaitingPayout()
    await cancel(payout.partner, payout.id)
    const before = await shown(payout)
    for (let round = 0; round < 3; round++) await test.pass(10_000)
    expect(await shown(payout)).toEqual(before)
    await expectMoneyBackOnce(payout)
  })

  it('is cancelled once when it is cancelled twice, and the bank is asked once', async () => {
    const payout = await aWaitingPayout()
    const before = await timesAsked()
    const first = await cancel(payout.partner, payout.id)
    const second = await cancel(payout.partner, payout.id)
    expect([first.statusCode, second.statusCode]).toEqual([200, 200])
    expect(second.json()).toEqual(first.json())
    expect((await timesAsked()) - before).toBe(1)
    await expectMoneyBackOnce(payout)
  })

  it('is cancelled once when ten cancel it at once, and all of them are told', async () => {
    const payout = await aWaitingPayout()
    const replies = await Promise.all(Array.from({ length: 10 }, () => cancel(payout.partner, payout.id)))
    await expectMoneyBackOnce(payout)
    expect(await shown(payout)).toMatchObject({ status: 'cancelled' })
    expect(replies.map((reply) => reply.statusCode)).toEqual(replies.map(() => 200))
    expect(replies.map((reply) => reply.json<{ status: string }>().status)).toEqual(replies.map(() => 'cancelled'))
  })

  it.each([
    { step: 'submit', went: 'processing' },
    { step: 'settle', went: 'completed' },
  ])(
    'is cancelled or goes on and never both, when two cancel it while the bank moves on ($step)',
    async ({ step, went }) => {
      for (let round = 0; round < 6; round++) {
        const payout = await aWaitingPayout()
        const [one, other] = await Promise.all([
          cancel(payout.partner, payout.id),
          cancel(payout.partner, payout.id),
          steer(payout.transferId, step).catch(() => null),
        ])
        await sweepTransfers(test.deps, 'sandbox')
        const isCancelled = (await stateAtBank(payout)) === 'canceled'
        expect([one.statusCode, other.statusCode]).toEqual(isCancelled ? [200, 200] : [409, 409])
        expect(await shown(payout)).toMatchObject({ status: isCancelled ? 'cancelled' : went })
        await (isCancelled ? expectMoneyBackOnce(payout) : expectStillOut(payout))
      }
    },
  )

  it('is not said to be lost when the bank agrees and does not show it yet', async () => {
    const payout = await aWaitingPayout()
    const rail = test.deps.rails[test.deps.bankRails.sandbox]!
    const agreeing = { ...rail, cancelTransfer: () => Promise.resolve('cancelled' as const) }
    const deps = { ...test.deps, rails: { ...test.deps.rails, [rail.name]: agreeing } }
    const scope = { partnerId: payout.partner.id, environment: 'sandbox' } as const
    await expect(cancelPayout(deps, scope, { id: payout.id })).rejects.toMatchObject({ code: 'bank_unavailable' })
    await expectStillOut(payout)
  })
})

describe('a payout that lacks money at the bank (underfunded)', () => {
  const anUnderfunded = async (): Promise<Sent> => {
    const payout = await aWaitingPayout()
    await test.bank.control('POST', '/rate', { rate: '0.75' })
    await steer(payout.transferId, 'submit')
    await test.bank.control('POST', '/rate', { rate: '0.79' })
    await sweepTransfers(test.deps, 'sandbox')
    expect([await stateAtBank(payout), (await shown(payout))['status']]).toEqual(['underfunded', 'processing'])
    return payout
  }

  it('is not cancelled while the bank does not stop it, and nothing moves', async () => {
    const payout = await anUnderfunded()
    const before = await timesAsked()
    const reply = await cancel(payout.partner, payout.id)
    expect([reply.statusCode, reply.json()]).toMatchObject([409, { error: { code: 'payout_not_cancellable' } }])
    expect((await timesAsked()) - before).toBe(1)
    expect([await stateAtBank(payout), (await shown(payout))['status']]).toEqual(['underfunded', 'processing'])
    await expectStillOut(payout)
  })

  it('is cancelled where the bank stops it, in its other reading, and its money is back once', async () => {
    const payout = await anUnderfunded()
    await test.bank.control('POST', '/readings', { underfunded_can_be_cancelled: true })
    const replies = await Promise.all([1, 2].map(() => cancel(payout.partner, payout.id)))
    await test.bank.control('DELETE', '/readings')
    expect(replies.map((reply) => [reply.statusCode, reply.json<{ status: string }>().status])).toEqual([
      [200, 'cancelled'],
      [200, 'cancelled'],
    ])
    expect(await stateAtBank(payout)).toBe('canceled')
    await sweepTransfers(test.deps, 'sandbox')
    await expectMoneyBackOnce(payout)
  })
})

describe('a payout that can no longer be stopped', () => {
  it('because the bank drew the wallet with the order, in its other reading, is never stopped', async () => {
    await test.bank.control('POST', '/readings', { transfers_await_funds_first: false })
    const payout = await aWaitingPayout()
    await test.bank.control('DELETE', '/readings')
    expect([await stateAtBank(payout), await isOffered(payout)]).toEqual(['pending', false])
    const reply = await cancel(payout.partner, payout.id)
    expect([reply.statusCode, reply.json<{ error: { message: string } }>().error.message]).toEqual([
      409,
      expect.stringContaining('the bank has taken its money. Nothing was changed.'),
    ])
    expect(await stateAtBank(payout)).toBe('pending')
    await expectStillOut(payout)
  })

  it.each([
    { known: 'processing', steps: ['review'], learnt: 'processing', isOut: true },
    { known: 'processing', steps: ['submit'], learnt: 'processing', isOut: true },
    // Here it is still processing: only the bank knows better.
    { known: 'processing', steps: ['settle'], learnt: 'completed', isOut: true },
    { known: 'completed', steps: ['settle'], learnt: 'completed', isOut: true },
    { known: 'returned', steps: ['settle', 'return', 'refund'], learnt: 'returned', isOut: false },
    { known: 'failed', steps: ['undeliver', 'refund'], learnt: 'failed', isOut: false },
  ])(
    'because it is $known here and $steps at the bank, answers 409 and changes nothing',
    async ({ known, steps, learnt, isOut }) => {
      const payout = await aWaitingPayout()
      for (const step of steps) await steer(payout.transferId, step)
      if (known !== 'processing') await sweepTransfers(test.deps, 'sandbox')
      const before = { payout: await shown(payout), state: await stateAtBank(payout) }
      expect(before.payout).toMatchObject({ status: known })
      const reply = await cancel(payout.partner, payout.id)
      expect(reply.statusCode).toBe(409)
      expect(reply.json()).toMatchObject({ error: { code: 'payout_not_cancellable' } })
      expect(await stateAtBank(payout)).toBe(before.state)
      await sweepTransfers(test.deps, 'sandbox')
      // Where only the bank knew better, the sweep has brought its word home; cancelling has not.
      const { updated_at: wasAt, completed_at: wasThere, ...was } = before.payout
      const { updated_at: isAt, completed_at: isThere, ...is } = await shown(payout)
      expect(is).toEqual({ ...was, status: learnt, cancelable: false })
      expect(isThere === wasThere).toBe(learnt === known)
      expect(isAt === wasAt).toBe(learnt === known)
      expect(await balanceOf(test, payout.partner)).toBe(isOut ? FLOAT - SENT : FLOAT)
      expect(await balanceAtBank(test, payout.partner)).toBe(isOut ? FLOAT - SENT : FLOAT)
    },
  )

  it('because it is at rest, is not asked about at the bank', async () => {
    const payout = await aWaitingPayout()
    await steer(payout.transferId, 'settle')
    await sweepTransfers(test.deps, 'sandbox')
    const before = await timesAsked()
    expect((await cancel(payout.partner, payout.id)).statusCode).toBe(409)
    expect(await timesAsked()).toBe(before)
  })

  it('because nobody knows yet whether the bank has it, goes on', async () => {
    const { partner } = await aWaitingPayout()
    await test.bank.control('POST', '/faults', { route: 'POST /v0/transfers', mode: 'reset_before' })
    const created = await createPayout(test, partner)
    expect(created.json()).toMatchObject({ status: 'pending' })
    const { id } = created.json<{ id: string }>()
    expect((await cancel(partner, id)).statusCode).toBe(409)
    expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
    await test.pass(2_000)
    const transfer = (await test.bank.books()).transfers.find((each) => each.client_reference_id === id)!
    expect((await cancel(partner, id)).statusCode).toBe(200)
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
    expect(await stateAtBank({ partner, id, transferId: transfer.id })).toBe('canceled')
  })
})

describe('a payout that is not there', () => {
  it('is not found, and one of somebody else’s is not found in the same words', async () => {
    const payout = await aWaitingPayout()
    const stranger = await test.aConnectedPartner()
    const live = await inLive(test, payout.partner)
    const before = await timesAsked()
    const replies = [
      await cancel(stranger, payout.id),
      await cancel(live, payout.id),
      await cancel(payout.partner, '0199a8a0-0000-7000-8000-000000000001'),
      await cancel(payout.partner, 'not-an-id'),
      await cancel(payout.partner, payout.transferId),
    ]
    const words = replies.map((reply) => ({
      status: reply.statusCode,
      body: reply.body.replace(/"request_id":"[^"]+"/, '"request_id":""'),
      length: reply.headers['content-length'],
    }))
    expect(words[0]).toMatchObject({ status: 404, body: expect.stringContaining('"code":"not_found"') })
    for (const each of words) expect(each).toEqual(words[0])
    expect(await timesAsked()).toBe(before)
    await expectStillOut(payout)
  })
})

describe('a bank that does not say whether it stopped the payout', () => {
  const unanswered = [
    { mode: 'hang_before', acted: false },
    { mode: 'hang_after', acted: true },
    { mode: 'reset_before', acted: false },
    { mode: 'reset_after', acted: true },
    { mode: '500_before', acted: false },
    { mode: '500_after', acted: true },
    { mode: '429', acted: false },
    { mode: 'truncated', acted: true },
  ]

  it.each(unanswered)(
    'with $mode: 502, nothing is believed, and the sweep finds the truth',
    async ({ mode, acted }) => {
      const payout = await aWaitingPayout()
      const before = await shown(payout)
      await test.bank.control('POST', '/faults', { route: DELETE, mode })
      const reply = await cancel(payout.partner, payout.id)
      expect(reply.statusCode).toBe(502)
      expect(reply.json()).toMatchObject({ error: { code: 'bank_unavailable' } })
      expect(await shown(payout)).toEqual(before)
      expect(await balanceOf(test, payout.partner)).toBe(FLOAT - SENT)
      await sweepTransfers(test.deps, 'sandbox')
      expect(await stateAtBank(payout)).toBe(acted ? 'canceled' : 'awaiting_funds')
      expect(await shown(payout)).toMatchObject({ status: acted ? 'cancelled' : 'processing' })
      await (acted ? expectMoneyBackOnce(payout) : expectStillOut(payout))
      // Asked again, it is stopped in any case, and the money is back once.
      expect((await cancel(payout.partner, payout.id)).json()).toMatchObject({ status: 'cancelled' })
      await expectMoneyBackOnce(payout)
    },
  )

  it.each(['hang_after', 'reset_after', '500_after'])(
    'with %s: asked again before any sweep, the payout is cancelled',
    async (mode) => {
      const payout = await aWaitingPayout()
      await test.bank.control('POST', '/faults', { route: DELETE, mode })
      expect((await cancel(payout.partner, payout.id)).statusCode).toBe(502)
      const again = await cancel(payout.partner, payout.id)
      expect(again.json()).toMatchObject({ status: 'cancelled' })
      expect(again.statusCode).toBe(200)
      await expectMoneyBackOnce(payout)
    },
  )

  it('with words that cannot be read: the payout is read back, and is cancelled', async () => {
    const payout = await aWaitingPayout()
    await test.bank.control('POST', '/faults', { route: DELETE, mode: 'malformed_2xx' })
    expect((await cancel(payout.partner, payout.id)).json()).toMatchObject({ status: 'cancelled' })
    await expectMoneyBackOnce(payout)
  })

  it('and then cannot be read either: 502, and the sweep finds the truth', async () => {
    const payout = await aWaitingPayout()
    await test.bank.control('POST', '/faults', { route: 'GET /v0/transfers/{transferId}', mode: '500_before' })
    expect((await cancel(payout.partner, payout.id)).statusCode).toBe(502)
    expect(await shown(payout)).toMatchObject({ status: 'processing' })
    await sweepTransfers(test.deps, 'sandbox')
    expect(await shown(payout)).toMatchObject({ status: 'cancelled' })
    await expectMoneyBackOnce(payout)
  })

  it('leaves books that agree when all of this is over', async () => {
    await sweepTransfers(test.deps, 'sandbox')
    expect(await reconcileBank(test.deps, 'sandbox')).toEqual([])
  })
})
