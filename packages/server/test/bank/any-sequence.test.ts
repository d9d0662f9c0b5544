// Whatever is done in whatever order, by two processes of which one dies now and then, at a bank that fails: a model of keys and
// sums says what must be so at every step, and what the two books must say in the end. Sequences are made up anew at each run.
import { randomInt } from 'node:crypto'

import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { RailUnavailable } from '../../src/rail/port.ts'
import { type BankApp, accountAtBank, balanceAtBank, startBankApp } from '../support/bank-app.ts'
import { type TestPartner, aPayoutBody, balanceOf, get } from '../support/fixtures.ts'
import { type Mortal, mortal } from '../support/mortal.ts'
import { type Model, type Real, commandsOf } from './sequence-commands.ts'

const wanted = (name: string) => Number.parseInt(process.env[name] ?? '', 10) || null
const SEED = wanted('SEED') ?? randomInt(2 ** 31)
/** `npm run prove -- --long` asks for 1,000. */
const SEQUENCES = wanted('SEQUENCES') ?? 300
/** The `path` that a failure prints: begins with that group of sequences. */
const AT = process.env['SEQUENCE_PATH']
const LONGEST = 24
/** So many businesses have a sequence each, one after the other, and come to rest together: that is what takes long. */
const TOGETHER = 5
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

interface Business {
  readonly model: Model
  readonly real: Real
}

async function begin(count: number): Promise<readonly Business[]> {
  const partners = await test.connectedPartners(count)
  return Promise.all(
    partners.map(async (partner) => {
      const begun = await balanceOf(test, partner)
      return { model: { orders: [], toppedUp: 0n, begun }, real: { test, victim, partner } }
    }),
  )
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
async function comeToRest(partners: readonly TestPartner[]): Promise<void> {
  await test.bank.control('DELETE', '/faults')
  for (let round = 0; round < 20; round++) {
    if (!(await hasPassed(test, round < 6 ? A_LEASE_MS : HOUR_MS))) continue
    let isAtRest = true
    for (const partner of partners) isAtRest = (await bringOn(partner)) && isAtRest
    if (round > 1 && isAtRest && (await hasPassed(test, A_LEASE_MS))) return
  }
  throw new Error('Not everything came to rest.')
}

/** One step on for whatever of a business is under way at the bank. Returns whether there was nothing, here or there. */
async function bringOn(partner: TestPartner): Promise<boolean> {
  const { holderRef } = await accountAtBank(test, partner)
  const { transfers } = await test.bank.books(holderRef)
  const open = transfers.filter(({ state }) => !ENDED.includes(state))
  for (const { id, state } of open) {
    const step = ['returned', 'undeliverable', 'error', 'refund_in_flight'].includes(state) ? 'refund' : 'settle'
    await test.bank.control('POST', `/transfers/${id}/${step}`, {}).catch(() => undefined)
  }
  const listed = await listedOf(partner)
  return open.length === 0 && listed.every(({ status }) => !['pending', 'processing'].includes(status))
}

async function listedOf(partner: TestPartner): Promise<readonly Listed[]> {
  return (await get(test, partner, '/v1/payouts?limit=100')).json<{ data: Listed[] }>().data
}

async function checkEnd({ model, real: { partner } }: Business): Promise<void> {
  const listed = await listedOf(partner)
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
    let taken = 0
    const commands = commandsOf(aPayoutBody, () => void (taken += 1))
    const sequence = fc.commands(commands, { maxCommands: LONGEST, size: 'max' })
    const group = fc.array(sequence, { minLength: TOGETHER, maxLength: TOGETHER })
    const property = fc.asyncProperty(group, async (sequences) => {
      const businesses = await begin(sequences.length)
      for (const [nth, steps] of sequences.entries()) await fc.asyncModelRun(() => businesses[nth]!, steps)
      await comeToRest(businesses.map(({ real }) => real.partner))
      for (const business of businesses) await checkEnd(business)
    })
    await fc.assert(property, {
      numRuns: Math.ceil(SEQUENCES / TOGETHER),
      seed: SEED,
      endOnFailure: true,
      includeErrorInReport: true,
      ...(AT === undefined ? {} : { path: AT }),
    })
    expect(taken).toBeGreaterThan(0)
    process.stdout.write(`any-sequence.test.ts ${SEQUENCES} sequences, ${taken} steps\n`)
  },
  PATIENCE_MS,
)
