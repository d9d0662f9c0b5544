// News of a transfer in any order, doubled, late, before our own commit, and between follow-ups: once the last true
// state has been read, the payout is where it would have been had everything come in order, and money is back once.
// The snapshots are from the lives of real transfers at the bank.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { after } from '../../src/core/clock.ts'
import { newId } from '../../src/core/ids.ts'
import { microUsdc, pence } from '../../src/core/money.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { reconcileBank } from '../../src/domain/banking/reconcile/reconcile-bank.ts'
import { recordNews } from '../../src/domain/payouts/record/record-news.ts'
import { recordOutcomes } from '../../src/domain/payouts/record/record-outcomes.ts'
import type { PayoutRail, SubmitAnswer } from '../../src/rail/port.ts'
import type { TransferSnapshot } from '../../src/rail/transfer.ts'
import { claimDuePayouts } from '../../src/storage/payout-follow-ups.ts'
import { type BankApp, startBankApp } from '../support/bank-app.ts'
import { type TestPartner, aRecipient, balanceOf, createPayout, get, sql } from '../support/fixtures.ts'

const SEED = 20_251_115
const PERMUTATIONS = 300
/** A pound and the bank's share of the fee, at 0.79. */
const SENT_FOR_A_POUND = 1_540_000n
const DAY_MS = 24 * 60 * 60 * 1_000

/** What is done to a transfer at the bank, and the state that the bank has it in afterwards. */
const LIVES = [
  { steps: ['submit', 'settle'], states: ['payment_submitted', 'payment_processed'], end: 'completed' },
  {
    steps: ['submit', 'settle', 'return', 'refund'],
    states: ['payment_submitted', 'payment_processed', 'returned', 'refunded'],
    end: 'returned',
  },
  {
    steps: ['review', 'submit', 'settle', 'return', 'refund'],
    states: ['in_review', 'payment_submitted', 'payment_processed', 'returned', 'refunded'],
    end: 'returned',
  },
  { steps: ['submit', 'return', 'refund'], states: ['payment_submitted', 'returned', 'refunded'], end: 'returned' },
  {
    steps: ['submit', 'undeliver', 'refund'],
    states: ['payment_submitted', 'undeliverable', 'refunded'],
    end: 'failed',
  },
  {
    steps: ['submit', 'review', 'undeliver', 'refund'],
    states: ['payment_submitted', 'in_review', 'undeliverable', 'refunded'],
    end: 'failed',
  },
  { steps: ['review', 'cancel'], states: ['in_review', 'canceled'], end: 'cancelled' },
] as const

type Life = readonly TransferSnapshot[]

let test: BankApp
let partner: TestPartner
const lives: Life[] = []
/** What the bank answers when it is not asked over HTTP: the news is what the test is about. */
let answerTo: (payoutId: string) => Promise<SubmitAnswer>

beforeAll(async () => {
  test = await startBankApp()
  partner = await test.aConnectedPartner()
  const real = test.deps.rails.provider_sandbox
  for (const life of LIVES) lives.push(await live(real, life))
  const stub: PayoutRail = {
    ...real,
    submit: (request) => answerTo(request.clientReference),
    registerRecipient: () => Promise.resolve({ kind: 'registered', recipientRef: 'known' }),
  }
  Object.assign(test.deps.rails, { provider_sandbox: stub })
})
afterAll(() => test.close())

/** A transfer that goes through this at the bank, as the adapter saw it at each step. */
async function live(rail: PayoutRail, life: (typeof LIVES)[number]): Promise<Life> {
  const created: SubmitAnswer[] = []
  const listening: PayoutRail = {
    ...rail,
    submit: async (request) => {
      created.push(await rail.submit(request))
      return created[0]!
    },
  }
  Object.assign(test.deps.rails, { provider_sandbox: listening })
  await createPayout(test, partner, { reference: 'sandbox:hold' })
  const accepted = created[0]!
  if (accepted.kind !== 'accepted') throw new Error('The bank did not take it.')
  const { transferRef } = accepted.transfer
  const seen: TransferSnapshot[] = [accepted.transfer]
  for (const [index, step] of life.steps.entries()) {
    // The bank may have handed it over by itself meanwhile; what counts is the state that it is in.
    await test.bank.control('POST', `/transfers/${transferRef}/${step}`).catch(() => undefined)
    const snapshot = await rail.readListed(transferRef)
    expect(snapshot?.bankState).toBe(life.states[index])
    seen.push(snapshot!)
  }
  return seen
}

const scope = () => ({ partnerId: partner.id, environment: 'sandbox' as const })
const NOT_SAID: SubmitAnswer = { kind: 'unknown', reason: 'The bank did not answer.' }
const of = (payoutId: string, snapshot: TransferSnapshot): TransferSnapshot => ({
  ...snapshot,
  transferRef: `tr_${payoutId}`,
  clientReference: payoutId,
  send: microUsdc(SENT_FOR_A_POUND),
  receive: pence(100n),
})

async function aPayout(answer: (payoutId: string) => Promise<SubmitAnswer>): Promise<string> {
  answerTo = answer
  const created = await createPayout(test, partner, { amount_gbp: '1.00' })
  expect(created.statusCode).toBe(201)
  return created.json<{ id: string }>().id
}

async function lease(payoutId: string): Promise<string> {
  const now = after(test.clock.now(), DAY_MS)
  const leaseToken = newId(now)
  const claim = { due: [{ ...scope(), id: payoutId }], now, leaseToken, leaseUntil: after(now, 30_000) }
  await test.deps.db.inTransaction((tx) => claimDuePayouts(tx, 'sandbox', claim))
  return leaseToken
}

type Happening =
  | { readonly kind: 'news'; readonly which: number }
  /** Several in one go, as a page of the bank's list may have them. */
  | { readonly kind: 'page'; readonly which: readonly number[] }
  /** The worker looks, and sees this. */
  | { readonly kind: 'follow'; readonly which: number }
  /** The worker looks and the bank says nothing. */
  | { readonly kind: 'silence' }
  /** The worker looks, and before it has written down what it saw, news comes. */
  | { readonly kind: 'overtaken'; readonly which: number; readonly news: number }

async function happen(payoutId: string, life: Life, happening: Happening): Promise<void> {
  const snapshot = (which: number) => of(payoutId, life[which % life.length]!)
  const news = (which: readonly number[]) =>
    recordNews(
      test.deps,
      scope(),
      which.map((each) => ({ payoutId, transfer: snapshot(each) })),
    )
  const record = (leaseToken: string, answer: SubmitAnswer) =>
    recordOutcomes(test.deps, scope(), [{ payoutId, leaseToken, answer, isFirstHand: false }])
  switch (happening.kind) {
    case 'news':
      await news([happening.which])
      break
    case 'page':
      await news(happening.which)
      break
    case 'follow':
      await record(await lease(payoutId), { kind: 'accepted', transfer: snapshot(happening.which) })
      break
    case 'silence':
      await record(await lease(payoutId), NOT_SAID)
      break
    case 'overtaken': {
      const token = await lease(payoutId)
      await news([happening.news])
      await record(token, { kind: 'accepted', transfer: snapshot(happening.which) })
    }
  }
}

const STARTS = ['accepted', 'unknown', 'before our commit'] as const

/** A payout to which all this happens, and to which the last true state happens in the end. */
async function run(start: (typeof STARTS)[number], life: Life, happenings: readonly Happening[]): Promise<object> {
  const everything = async (payoutId: string) => {
    for (const each of happenings) await happen(payoutId, life, each)
  }
  const accepted = (payoutId: string): SubmitAnswer => ({ kind: 'accepted', transfer: of(payoutId, life[0]!) })
  const payoutId = await aPayout(async (id) => {
    if (start === 'before our commit') await everything(id)
    return start === 'unknown' ? NOT_SAID : accepted(id)
  })
  if (start !== 'before our commit') await everything(payoutId)
  await happen(payoutId, life, { kind: 'news', which: life.length - 1 })
  return endOf(payoutId)
}

/** The payout's status and its money's account. Money outside the wallet may be in either of two accounts. */
async function endOf(payoutId: string): Promise<object> {
  const [row] = await sql<object>(
    test,
    `select p.status, p.refund_state, p.send_state, p.failure_reason, p.provider_reason, p.provider_state,
              p.provider_ref = 'tr_' || p.id as is_its_own, not exists (select 1 from payout_follow_ups f where f.payout_id = p.id) as is_at_rest,
              (select count(*)::int from ledger_entries e where e.cause = p.id and e.to_account = 'available') as backs,
              (select sum(case when e.to_account = 'available' then e.amount when e.from_account = 'available'
                               then -e.amount else 0 end)::int / p.wallet_sends_micro::int
                 from ledger_entries e where e.cause = p.id) as net,
              (select sum(case when e.to_account = 'held' then e.amount when e.from_account = 'held'
                               then -e.amount else 0 end)::int from ledger_entries e where e.cause = p.id) as held
         from payouts p where p.id = $1`,
    [payoutId],
  )
  return row!
}

const inOrder = new Map<string, Promise<object>>()

function inOrderRun(lifeIndex: number, length: number): Promise<object> {
  const key = `${lifeIndex} ${length}`
  const life = lives[lifeIndex]!.slice(0, length)
  const known =
    inOrder.get(key) ??
    run(
      'accepted',
      life,
      life.map((_, which) => ({ kind: 'news', which })),
    )
  inOrder.set(key, known)
  return known
}

const which = fc.nat(5)
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 4, arbitrary: which.map((each) => ({ kind: 'news' as const, which: each })) },
  {
    weight: 1,
    arbitrary: fc.array(which, { minLength: 2, maxLength: 4 }).map((all) => ({ kind: 'page' as const, which: all })),
  },
  { weight: 1, arbitrary: which.map((each) => ({ kind: 'follow' as const, which: each })) },
  { weight: 1, arbitrary: fc.constant({ kind: 'silence' as const }) },
  { weight: 1, arbitrary: fc.tuple(which, which).map(([a, b]) => ({ kind: 'overtaken' as const, which: a, news: b })) },
)

/** Every snapshot at least once, in any order, and more among them. */
const permutation = fc
  .record({ lifeIndex: fc.nat(LIVES.length - 1), cut: fc.nat(5), start: fc.constantFrom(...STARTS) })
  .chain(({ lifeIndex, cut, start }) => {
    const length = 1 + (cut % (LIVES[lifeIndex]!.steps.length + 1))
    const all = Array.from({ length }, (_, index): Happening => ({ kind: 'news', which: index }))
    return fc
      .array(happening, { maxLength: 4 })
      .chain((more) => fc.shuffledSubarray([...all, ...more], { minLength: all.length + more.length }))
      .map((happenings) => ({ lifeIndex, length, start, happenings }))
  })

describe('news of a payout', () => {
  it.each(LIVES.map((life, index) => ({ ...life, index, path: life.states.join(', ') })))(
    'in order, through $path, ends as $end',
    async ({ index, states, end }) => {
      expect(await inOrderRun(index, states.length + 1)).toMatchObject({
        status: end,
        send_state: 'accepted',
        provider_state: states.at(-1),
        is_its_own: true,
        is_at_rest: true,
        held: 0,
        ...(end === 'completed'
          ? { refund_state: 'none', backs: 0, net: -1 }
          : { refund_state: 'done', backs: 1, net: 0 }),
      })
    },
  )

  it(`ends the same in any of ${PERMUTATIONS} orders, with money back once (seed ${SEED})`, async ({ task }) => {
    let tried = 0
    await fc.assert(
      fc.asyncProperty(permutation, async ({ lifeIndex, length, start, happenings }) => {
        const life = lives[lifeIndex]!.slice(0, length)
        expect(await run(start, life, happenings)).toEqual(await inOrderRun(lifeIndex, length))
        tried += 1
      }),
      { numRuns: PERMUTATIONS, seed: SEED, endOnFailure: true },
    )
    expect(tried).toBe(PERMUTATIONS)
    task.meta.cases = tried
  })

  it('told fifty times at once has one effect', async () => {
    const life = lives[1]!
    const payoutId = await aPayout(async (id) => ({ kind: 'accepted', transfer: of(id, life[0]!) }))
    const before = await balanceOf(test, partner)
    const everybody = Array.from({ length: 50 }, (_, index) => happen(payoutId, life, { kind: 'news', which: index }))
    await Promise.all(everybody)
    await happen(payoutId, life, { kind: 'news', which: life.length - 1 })
    expect(await endOf(payoutId)).toMatchObject({ status: 'returned', refund_state: 'done', backs: 1, net: 0 })
    expect((await balanceOf(test, partner)) - before).toBe(SENT_FOR_A_POUND)
  })
})

describe('a payment that the bank refuses at once, whose answer is lost', () => {
  it('fails, and its money is back although the bank has nothing to refund', async () => {
    const refused = await startBankApp()
    try {
      const payer = await refused.aConnectedPartner()
      const recipient = aRecipient({ account_number: '12340000' })
      // The recipient is known already, so that only the transfer's answer can be lost.
      expect((await createPayout(refused, payer, { recipient })).json()).toMatchObject({ status: 'failed' })
      await refused.bank.control('POST', '/faults', { route: 'POST /v0/transfers', mode: 'reset_after' })
      const created = await createPayout(refused, payer, { recipient })
      expect(created.json()).toMatchObject({ status: 'pending' })
      // The sweep comes before the worker asks again.
      await sweepTransfers(refused.deps, 'sandbox')
      for (let round = 0; round < 4; round++) await refused.pass(10_000)
      const payout = (await get(refused, payer, `/v1/payouts/${created.json<{ id: string }>().id}`)).json()
      expect(payout).toMatchObject({ status: 'failed' })
      expect(await reconcileBank(refused.deps, 'sandbox')).toEqual([])
      expect(await balanceOf(refused, payer)).toBe(10_000_000_000n)
    } finally {
      await refused.close()
    }
  })
})
