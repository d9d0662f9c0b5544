// Whatever is done in whatever order, by two processes of which one dies now and then, at a bank that fails: a model of keys and
// sums says what must be so at every step, and what the two books must say in the end. Sequences are made up anew at each run.
import { randomInt } from 'node:crypto'

import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { RailUnavailable } from '../../src/rail/port.ts'
import { type BankApp, accountAtBank, balanceAtBank, startBankApp } from '../support/bank-app.ts'
import { aPayoutBody, balanceOf, get } from '../support/fixtures.ts'
import { type Mortal, mortal } from '../support/mortal.ts'
import { type Model, type Real, commandsOf } from './sequence-commands.ts'

const wanted = (name: string) => Number.parseInt(process.env[name] ?? '', 10) || null
const SEED = wanted('SEED') ?? randomInt(2 ** 31)
/** `npm run prove -- --long` asks for 1,000. */
const SEQUENCES = wanted('SEQUENCES') ?? 40
/** The `path` that a failure prints: begins with that sequence. */
const AT = process.env['SEQUENCE_PATH']
const LONGEST = 24
/** Ten times what a sequence takes on a machine that does nothing else. */
const PATIENCE_MS = 60_000 + SEQUENCES * 10_000
process.stdout.write(`any-sequence.test.ts seed=${SEED} sequences=${SEQUENCES}\n`)

const A_LEASE_MS = 31_000
const HOUR_MS = 3_600_000

let test: BankApp
let victim: Mortal
beforeAll(async () => {
  test = await startBankApp({ totalTimeoutMs: 700 })
  await test.bank.standStill()
  victim = mortal(await test.anotherInstance())
})
afterAll(() => test.close())

async function begin(): Promise<{ model: Model; real: Real }> {
  const partner = await test.aConnectedPartner()
  const begun = await balanceOf(test, partner)
  return { model: { orders: [], toppedUp: 0n, begun }, real: { test, victim, partner } }
}

interface Listed {
  readonly id: string
  readonly status: string
  readonly idempotency_key: string
  readonly wallet_sent_usdc: string
}

const UNDONE = ['failed', 'cancelled', 'returned']
/** At the bank. */
const ENDED = ['payment_processed', 'refunded', 'canceled']
const micro = (usdc: string) => BigInt(usdc.replace('.', '')) * 10_000n

/** Whether the round was done: on a busy machine the bank may take too long, as it may for the worker, which comes again. */
async function hasPassed(app: BankApp, milliseconds: number): Promise<boolean> {
  try {
    await app.pass(milliseconds)
    return true
  } catch (error) {
    if (error instanceof RailUnavailable) return false
    throw error
  }
}

/** Lets everything come to rest: the bank is well, brings what is under way to an end, and gives back what it owes. */
async function comeToRest({ test: app, partner }: Real): Promise<readonly Listed[]> {
  await app.bank.control('DELETE', '/faults')
  const { holderRef } = await accountAtBank(app, partner)
  for (let round = 0; round < 20; round++) {
    if (!(await hasPassed(app, round < 6 ? A_LEASE_MS : HOUR_MS))) continue
    const { transfers } = await app.bank.books(holderRef)
    for (const { id, state } of transfers) {
      if (ENDED.includes(state)) continue
      const step = ['returned', 'undeliverable', 'error', 'refund_in_flight'].includes(state) ? 'refund' : 'settle'
      await app.bank.control('POST', `/transfers/${id}/${step}`, {}).catch(() => undefined)
    }
    const { data } = (await get(app, partner, '/v1/payouts?limit=100')).json<{ data: Listed[] }>()
    const open = transfers.filter(({ state }) => !ENDED.includes(state))
    if (round > 1 && open.length === 0 && data.every(({ status }) => !['pending', 'processing'].includes(status))) {
      if (await hasPassed(app, A_LEASE_MS)) return data
    }
  }
  throw new Error('Not everything came to rest.')
}

async function checkEnd(model: Model, real: Real): Promise<void> {
  const { partner } = real
  const listed = await comeToRest(real)
  const { holderRef } = await accountAtBank(test, partner)
  const made = (await test.bank.books(holderRef)).transfers.map((each) => each.client_reference_id)
  expect(new Set(made).size, 'no payout has two transfers').toBe(made.length)
  const paid = listed.filter(({ status }) => !UNDONE.includes(status))
  expect(
    paid.filter(({ id }) => !made.includes(id)),
    'what was paid is at the bank',
  ).toEqual([])
  const ids = new Set(listed.map(({ id }) => id))
  expect(
    made.filter((id) => id === null || !ids.has(id)),
    'what is at the bank is a payout',
  ).toEqual([])
  for (const { key, id } of model.orders) {
    const own = listed.filter((each) => each.idempotency_key === key)
    expect(own.length, `payouts of ${key}`).toBeLessThanOrEqual(1)
    expect(id ?? own[0]?.id, `what was answered to ${key}`).toBe(own[0]?.id)
  }
  const sent = paid.reduce((sum, each) => sum + micro(each.wallet_sent_usdc), 0n)
  expect(await balanceOf(test, partner), 'the wallet').toBe(model.begun + model.toppedUp - sent)
  expect(await balanceAtBank(test, partner), 'the wallet at the bank').toBe(model.begun + model.toppedUp - sent)
}

it(
  `ends with one transfer per key and books that agree, whatever is done in whatever order (seed ${SEED})`,
  async ({ task }) => {
    task.meta.cases = SEQUENCES
    let steps = 0
    const commands = commandsOf(aPayoutBody, () => void (steps += 1))
    const sequences = fc.commands(commands, { maxCommands: LONGEST, size: 'max' })
    const property = fc.asyncProperty(sequences, async (sequence) => {
      const { model, real } = await begin()
      await fc.asyncModelRun(() => ({ model, real }), sequence)
      await checkEnd(model, real)
    })
    await fc.assert(property, {
      numRuns: SEQUENCES,
      seed: SEED,
      endOnFailure: true,
      includeErrorInReport: true,
      ...(AT === undefined ? {} : { path: AT }),
    })
    expect(steps).toBeGreaterThan(0)
    process.stdout.write(`any-sequence.test.ts ${SEQUENCES} sequences, ${steps} steps\n`)
  },
  PATIENCE_MS,
)
