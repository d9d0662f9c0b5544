// Whoever asks the bank, a request or the worker, dies at every point where that matters, while the bank does each of the
// things that a bank can do. Then somebody else goes on: one transfer for each key, and the same payout for whoever asks.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { followWallet } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { type BankApp, accountAtBank, balanceAtBank, startBankApp } from '../support/bank-app.ts'
import { type TestPartner, aPayoutBody, anIdempotencyKey, balanceOf } from '../support/fixtures.ts'
import { type Mortal, POINTS, type Point, mortal } from '../support/mortal.ts'

const BEHAVIOURS = [
  'well',
  'hang_before',
  'hang_after',
  'reset_before',
  'reset_after',
  '500_before',
  '500_after',
  '429',
  'malformed_2xx',
  'truncated',
  'wrong_amount',
  'slow',
  'down',
] as const
type Behaviour = (typeof BEHAVIOURS)[number]

const A_LEASE_MS = 31_000
const HOUR_MS = 3_600_000

interface Order {
  readonly behaviour: Behaviour
  readonly key: string
  /** Whether the one who asked died over it; one who lived was answered. */
  readonly hasDied: boolean
  readonly answer: Answer | null
}

interface Answer {
  readonly status: number
  readonly id: string | undefined
  readonly isReplay: boolean
}

let test: BankApp
let victim: Mortal
beforeAll(async () => {
  test = await startBankApp({ totalTimeoutMs: 700 })
  victim = mortal(await test.anotherInstance())
})
afterAll(() => test.close())

async function send(app: Pick<BankApp, 'request'>, partner: TestPartner, key: string): Promise<Answer> {
  const reply = await app.request({
    method: 'POST',
    url: '/v1/payouts',
    headers: { authorization: `Bearer ${partner.key}`, 'idempotency-key': key },
    payload: aPayoutBody(),
  })
  const { id } = reply.json<{ id?: string }>()
  return { status: reply.statusCode, id, isReplay: reply.headers['idempotent-replayed'] === 'true' }
}

async function behave(behaviour: Behaviour): Promise<void> {
  if (behaviour === 'well') return
  const where = behaviour === 'down' ? {} : { route: 'POST /v0/transfers' }
  const slow = behaviour === 'slow' ? { ms: 300 } : {}
  await test.bank.control('POST', '/faults', { mode: behaviour, times: 1, ...where, ...slow })
}

const mend = () => test.bank.control('DELETE', '/faults')

/** A request that dies over its payout. */
async function askAndDie(partner: TestPartner, point: Point, behaviour: Behaviour): Promise<Order> {
  const key = anIdempotencyKey()
  await behave(behaviour)
  victim.dieAt(point)
  const answer = await send(victim.app, partner, key)
  const hasDied = victim.rise()
  await mend()
  return { behaviour, key, hasDied, answer: hasDied ? null : answer }
}

/** A worker that dies over a payout in doubt. */
async function followAndDie(partner: TestPartner, point: Point, behaviour: Behaviour): Promise<Order> {
  const key = anIdempotencyKey()
  await behave('reset_before')
  const answer = await send(test, partner, key)
  await mend()
  expect(answer.status).toBe(201)
  await test.moveClocks(2_000)
  await behave(behaviour)
  victim.dieAt(point)
  const scope = { partnerId: partner.id, environment: 'sandbox' } as const
  await followWallet(victim.app.deps, scope, [{ ...scope, id: answer.id! }]).catch(() => undefined)
  const hasDied = victim.rise()
  await mend()
  return { behaviour, key, hasDied, answer }
}

/** The caller repeats the request, at a process that lives, until it has its payout. */
async function repeat(partner: TestPartner, { key, behaviour }: Order): Promise<string> {
  for (let round = 0; round < 6; round++) {
    const { status, id } = await send(test, partner, key)
    if (status === 200 || status === 201) return id!
    expect([409, 502, 503], `a bank that does ${behaviour}`).toContain(status)
    await test.pass(round < 3 ? A_LEASE_MS : HOUR_MS)
  }
  throw new Error(`${behaviour}: ${key} has no payout in the end.`)
}

async function checkAll(partner: TestPartner, orders: readonly Order[]): Promise<void> {
  const ids: string[] = []
  for (const order of orders) ids.push(await repeat(partner, order))
  for (let round = 0; round < 6; round++) await test.pass(A_LEASE_MS)
  const { holderRef } = await accountAtBank(test, partner)
  const { transfers } = await test.bank.books()
  const made = transfers.filter((each) => each.customer_id === holderRef).map((each) => each.client_reference_id ?? '')
  expect(made.toSorted()).toEqual(ids.toSorted())
  for (const [index, order] of orders.entries()) {
    const told = order.answer?.id
    expect(told ?? ids[index], `a bank that does ${order.behaviour}`).toBe(ids[index])
    expect(await send(test, partner, order.key)).toEqual({ status: 200, id: ids[index], isReplay: true })
  }
  expect(await balanceAtBank(test, partner)).toBe(await balanceOf(test, partner))
}

const ACTORS = [
  { who: 'a request', dies: askAndDie },
  { who: 'a worker', dies: followAndDie },
] as const

describe.each(ACTORS)('$who that dies', ({ dies }) => {
  it.for(POINTS)('%s pays once, whatever the bank does', async (point, { task }) => {
    task.meta.cases = BEHAVIOURS.length
    const partner = await test.aConnectedPartner()
    const orders: Order[] = []
    for (const behaviour of BEHAVIOURS) orders.push(await dies(partner, point, behaviour))
    // A bank that is down is not asked at all, so some points are never come to.
    expect(orders.filter(({ hasDied }) => hasDied).length).toBeGreaterThan(BEHAVIOURS.length / 2)
    await test.pass(A_LEASE_MS)
    await checkAll(partner, orders)
  })
})
