// The steps of which sequences are made up, and what a model of keys and sums says of each.
import fc from 'fast-check'
import { expect } from 'vitest'

import type { BankApp } from '../support/bank-app.ts'
import { accountAtBank } from '../support/bank-app.ts'
import { type PayoutBody, type TestPartner, anIdempotencyKey, balanceOf } from '../support/fixtures.ts'
import { type Mortal, POINTS, type Point } from '../support/mortal.ts'

export interface Order {
  readonly key: string
  readonly pounds: string
  id: string | null
  /** Whoever asked for it died, and its lease has not ended: to repeat the request now means to wait. */
  isStranded: boolean
}

export interface Model {
  /** What was asked for, the oldest first. */
  readonly orders: Order[]
  toppedUp: bigint
  readonly begun: bigint
}

export interface Real {
  readonly test: BankApp
  readonly victim: Mortal
  readonly partner: TestPartner
}

type Command = fc.AsyncCommand<Model, Real>

const FAULTS = ['hang_after', 'reset_before', 'reset_after', '500_before', '500_after', '429', 'truncated', 'slow']
const STEPS = ['submit', 'settle', 'return', 'undeliver', 'refund', 'review', 'cancel']
const A_LEASE_MS = 30_000
/** What a request may be told that has not made its payout, or not yet. */
const NOT_NOW = [402, 409, 502, 503]

interface Answer {
  readonly status: number
  readonly id: string | undefined
}

async function ask(
  app: Pick<BankApp, 'request'>,
  partner: TestPartner,
  key: string,
  payload: PayoutBody,
): Promise<Answer> {
  const reply = await app.request({
    method: 'POST',
    url: '/v1/payouts',
    headers: { authorization: `Bearer ${partner.key}`, 'idempotency-key': key },
    payload,
  })
  return { status: reply.statusCode, id: reply.json<{ id?: string }>().id }
}

/** No more than there was, and never less than nothing. */
async function checkWallet({ begun, toppedUp }: Model, { test, partner }: Real): Promise<void> {
  const available = await balanceOf(test, partner)
  expect(available).toBeGreaterThanOrEqual(0n)
  expect(available).toBeLessThanOrEqual(begun + toppedUp)
}

/** Every kind of step. `onStep` hears of each that is taken. */
export function commandsOf(body: (of: PayoutBody) => PayoutBody, onStep: () => void): fc.Arbitrary<Command>[] {
  const step = (
    name: string,
    run: (model: Model, real: Real) => Promise<void>,
    check: (model: Readonly<Model>) => boolean = () => true,
  ): Command => ({
    check,
    run: async (model, real) => {
      onStep()
      await run(model, real)
      await checkWallet(model, real)
    },
    toString: () => name,
  })
  const hasOrders = ({ orders }: Model) => orders.length > 0
  const pick = ({ orders }: Model, nth: number) => orders[nth % orders.length]!
  const anOrder = ({ orders }: Model, pounds: string): Order => {
    orders.push({ key: anIdempotencyKey(), pounds, id: null, isStranded: false })
    return orders.at(-1)!
  }

  const pay = (pounds: string): Command =>
    step(`pay(${pounds})`, async (model, { test, partner }) => {
      const order = anOrder(model, pounds)
      const { status, id } = await ask(test, partner, order.key, body({ amount_gbp: pounds }))
      expect([201, ...NOT_NOW]).toContain(status)
      if (status === 201) order.id = id!
    })
  const payAndDie = (pounds: string, point: Point): Command =>
    step(`payAndDie(${pounds}, ${point})`, async (model, { victim, partner }) => {
      const order = anOrder(model, pounds)
      victim.dieAt(point)
      const { status, id } = await ask(victim.app, partner, order.key, body({ amount_gbp: pounds }))
      order.isStranded = victim.rise()
      if (!order.isStranded && status === 201) order.id = id!
    })
  const again = (nth: number): Command =>
    step(
      `again(${nth})`,
      async (model, { test, partner }) => {
        const order = pick(model, nth)
        const { status, id } = await ask(test, partner, order.key, body({ amount_gbp: order.pounds }))
        expect(order.id === null ? [200, 201, ...NOT_NOW] : [200]).toContain(status)
        if (status > 201) return
        expect(order.id ?? id).toBe(id)
        order.id = id!
      },
      (model) => hasOrders(model) && !pick(model, nth).isStranded,
    )
  const anotherBody = (nth: number): Command =>
    step(
      `anotherBody(${nth})`,
      async (model, { test, partner }) => {
        const { key } = pick(model, nth)
        expect((await ask(test, partner, key, body({ amount_gbp: '9999.99' }))).status).toBe(422)
      },
      (model) => hasOrders(model) && model.orders.every(({ id }) => id !== null),
    )
  const fail = (mode: string): Command =>
    step(`fail(${mode})`, async (_, { test }) => {
      const slow = mode === 'slow' ? { ms: 200 } : {}
      await test.bank.control('POST', '/faults', { route: 'POST /v0/transfers', mode, times: 1, ...slow })
    })
  const steer = (nth: number, what: string): Command =>
    step(`steer(${nth}, ${what})`, async (_, { test, partner }) => {
      const { holderRef } = await accountAtBank(test, partner)
      const own = (await test.bank.books(holderRef)).transfers
      const transfer = own[nth % Math.max(1, own.length)]
      // What the bank does not do in that state, it refuses.
      if (transfer !== undefined) {
        await test.bank.control('POST', `/transfers/${transfer.id}/${what}`, {}).catch(() => undefined)
      }
    })
  const topUp = (dollars: number): Command =>
    step(`topUp(${dollars})`, async (model, { test, partner }) => {
      const { walletRef } = await accountAtBank(test, partner)
      await test.bank.control('POST', `/wallets/${walletRef}/credit`, { source: 'onchain', amount: `${dollars}.00` })
      model.toppedUp += BigInt(dollars) * 1_000_000n
    })
  const pass = (ms: number): Command =>
    step(`pass(${ms})`, async (model, { test }) => {
      await test.pass(ms).catch(() => undefined)
      if (ms > A_LEASE_MS) for (const order of model.orders) order.isStranded = false
    })

  const pounds = fc.constantFrom('1.00', '25.00', '999.99', '4800.00')
  const nth = fc.nat(11)
  return [
    pounds.map(pay),
    fc.tuple(pounds, fc.constantFrom(...POINTS)).map(([amount, point]) => payAndDie(amount, point)),
    nth.map(again),
    nth.map(anotherBody),
    fc.constantFrom(...FAULTS).map(fail),
    fc.tuple(nth, fc.constantFrom(...STEPS)).map(([which, what]) => steer(which, what)),
    fc.integer({ min: 1, max: 500 }).map(topUp),
    fc.constantFrom(1_000, A_LEASE_MS + 1_000, 600_000).map(pass),
  ]
}
