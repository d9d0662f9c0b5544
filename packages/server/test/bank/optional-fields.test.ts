// A bank that leaves out what its description does not promise, or uses a state that nobody knows, in answers, lists and
// messages alike: every payout comes to its end, or stays as it is and a person is told what to do.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { OPTIONAL_FIELDS } from '@kestrel/bank'

import { resolvePayout } from '../../src/domain/banking/operator/resolve-payout.ts'
import { reconcileBank } from '../../src/domain/banking/reconcile/reconcile-bank.ts'
import { releasePayout } from '../../src/domain/payouts/follow/release-payout.ts'
import { ALARM_CATALOGUE } from '../../src/domain/watch/alarms/alarm-catalogue.ts'
import { type BankApp, startBankApp } from '../support/bank-app.ts'
import { type TestPartner, balanceOf, createPayout, get } from '../support/fixtures.ts'

const SENT = 32_070_000n
const DAY_MS = 24 * 60 * 60_000
/** Handed over, settled, sent back, refunded: each is seen by itself. */
const STEPS_MS = [600, 1_500, 2_000, 1_000]
const UNKNOWN = 'the bank has a state that we do not know'

let test: BankApp
let partner: TestPartner
beforeAll(async () => {
  test = await startBankApp()
  await test.listen()
  partner = await test.aConnectedPartner()
})
afterAll(() => test.close())
afterEach(() => test.bank.control('DELETE', '/appearances'))

const appear = (appearance: object) => test.bank.control('POST', '/appearances', appearance)
const pay = async (reference: string) =>
  (await createPayout(test, partner, { reference })).json<{ id: string; status: string }>()
const statusOf = async (id: string) => (await get(test, partner, `/v1/payouts/${id}`)).json<{ status: string }>().status
const transferOf = async (id: string) =>
  (await test.bank.books()).transfers.find((each) => each.client_reference_id === id)!.id
const move = async (ref: string, ...steps: string[]) => {
  for (const step of steps) await test.bank.control('POST', `/transfers/${ref}/${step}`)
}

/** Every alarm that was raised since says what to do. */
function told(since: number): string[] {
  const names = test.alarms.slice(since).map(({ what }) => what)
  for (const name of names) expect(ALARM_CATALOGUE[name].steps.length).toBeGreaterThan(0)
  return [...new Set(names)]
}

/** What went into the operator's own wallet is a difference of the books until the bank says that it did. */
async function booksAgree({ without }: { without: readonly string[] }): Promise<void> {
  const isSilent = without.includes('receipt.developer_exchange_fee')
  const breaks = (await reconcileBank(test.deps, 'sandbox')).map(({ check }) => check)
  expect(breaks).toEqual(isSilent ? ['excess_differs'] : [])
  if (!isSilent) return
  await test.bank.control('DELETE', '/appearances')
  await test.pass(10 * 60_000)
  expect(await reconcileBank(test.deps, 'sandbox')).toEqual([])
}

describe('payouts at a bank that leaves out', () => {
  it.each([
    ...OPTIONAL_FIELDS.map((field) => [field, [field]] as const),
    ['both amounts in pounds', ['destination.amount', 'receipt.final_amount']] as const,
    ['all but its reference', OPTIONAL_FIELDS.filter((field) => field !== 'client_reference_id')] as const,
    ['all but what arrives', OPTIONAL_FIELDS.filter((field) => field !== 'destination.amount')] as const,
  ])('%s complete, return, fail and are cancelled as ever', async (_name, without) => {
    await appear({ without })
    const [before, alarms] = [await balanceOf(test, partner), test.alarms.length]
    const ids = new Map<string, string>()
    for (const story of ['none', 'return', 'fail', 'cancel']) ids.set(story, (await pay(`sandbox:${story}`)).id)
    for (const ms of STEPS_MS) await test.pass(ms)
    expect(await Promise.all([...ids.values()].map(statusOf))).toEqual(['completed', 'returned', 'failed', 'cancelled'])
    expect((await balanceOf(test, partner)) - before).toBe(-SENT)
    expect(told(alarms)).toEqual([])
    await booksAgree({ without })
  })

  it('everything that it may are never released, and end on a person’s word', async () => {
    await appear({ without: OPTIONAL_FIELDS })
    const alarms = test.alarms.length
    const { id, status } = await pay('sandbox:hold')
    expect(status).toBe('pending')
    const [before, ref] = [await balanceOf(test, partner), await transferOf(id)]
    await test.pass(STEPS_MS[0]!)
    await test.pass(DAY_MS + 2 * 60 * 60_000)
    expect(told(alarms)).toEqual(
      expect.arrayContaining([
        'the bank has a transfer that we do not',
        'a payout is without an answer for longer than the bank remembers',
      ]),
    )
    await expect(releasePayout(test.deps, id, 'a guess')).rejects.toThrow(ref)
    expect([await statusOf(id), await balanceOf(test, partner)]).toEqual(['pending', before])
    await move(ref, 'settle')
    await resolvePayout(test.deps, id, { ending: null, transferRef: ref, reason: 'the bank was asked' })
    expect(await statusOf(id)).toBe('completed')
    expect((await test.bank.books()).transfers.filter((each) => each.client_reference_id === id)).toHaveLength(1)
    await booksAgree({ without: OPTIONAL_FIELDS })
  })
})

describe('a state that nobody knows', () => {
  it('in the middle stops nothing: the payout is told of, stays as it is, and comes to its end', async () => {
    const alarms = test.alarms.length
    const { id } = await pay('sandbox:hold')
    const ref = await transferOf(id)
    await appear({ transfer_id: ref, state: 'quantum' })
    const before = await balanceOf(test, partner)
    for (const ms of [...STEPS_MS, DAY_MS]) await test.pass(ms)
    expect([await statusOf(id), await balanceOf(test, partner)]).toEqual(['processing', before])
    expect(told(alarms)).toContain(UNKNOWN)
    expect((await reconcileBank(test.deps, 'sandbox')).map(({ check }) => check)).toEqual(['transfer_state_unknown'])
    await test.bank.control('DELETE', '/appearances')
    await move(ref, 'settle')
    await test.pass(DAY_MS)
    expect(await statusOf(id)).toBe('completed')
    expect(await reconcileBank(test.deps, 'sandbox')).toEqual([])
  })

  it.each([
    ['settled', ['settle'], 'completed'],
    ['gave back', ['undeliver', 'refund'], 'failed'],
  ] as const)('at the end of what the bank %s is ended by a person alone', async (_what, steps, ending) => {
    const before = await balanceOf(test, partner)
    const { id } = await pay('sandbox:hold')
    const ref = await transferOf(id)
    await appear({ transfer_id: ref, state: 'quantum' })
    await move(ref, ...steps)
    const alarms = test.alarms.length
    for (const ms of [...STEPS_MS, DAY_MS]) await test.pass(ms)
    expect([await statusOf(id), await balanceOf(test, partner)]).toEqual(['processing', before - SENT])
    expect(told(alarms)).toContain(UNKNOWN)
    await resolvePayout(test.deps, id, { ending, transferRef: null, reason: 'the bank said what the word means' })
    expect(await statusOf(id)).toBe(ending)
    expect(await balanceOf(test, partner)).toBe(ending === 'completed' ? before - SENT : before)
    await test.bank.control('DELETE', '/appearances')
    await test.pass(DAY_MS)
    expect(await reconcileBank(test.deps, 'sandbox')).toEqual([])
  })

  it('from the very first answer leaves no doubt for long, and sends nothing twice', async () => {
    const before = await balanceOf(test, partner)
    await appear({ state: 'quantum' })
    const alarms = test.alarms.length
    const { id, status } = await pay('sandbox:hold')
    expect(status).toBe('pending')
    await test.pass(STEPS_MS[0]!)
    expect(told(alarms)).toContain(UNKNOWN)
    expect([await statusOf(id), await balanceOf(test, partner)]).toEqual(['pending', before - SENT])
    await test.bank.control('DELETE', '/appearances')
    await move(await transferOf(id), 'settle')
    await test.pass(DAY_MS)
    expect(await statusOf(id)).toBe('completed')
    expect((await test.bank.books()).transfers.filter((each) => each.client_reference_id === id)).toHaveLength(1)
    expect(await reconcileBank(test.deps, 'sandbox')).toEqual([])
  })

  it('from the very first answer, without a reference, is never released either', async () => {
    await appear({ state: 'quantum', without: ['client_reference_id'] })
    const alarms = test.alarms.length
    const { id } = await pay('sandbox:hold')
    const [before, ref] = [await balanceOf(test, partner), await transferOf(id)]
    for (const ms of [STEPS_MS[0]!, DAY_MS + 2 * 60 * 60_000]) await test.pass(ms)
    expect(told(alarms)).toContain('the bank has a transfer that we do not')
    await expect(releasePayout(test.deps, id, 'a guess')).rejects.toThrow(ref)
    expect([await statusOf(id), await balanceOf(test, partner)]).toEqual(['pending', before])
    await resolvePayout(test.deps, id, { ending: null, transferRef: ref, reason: 'the bank was asked' })
    await test.bank.control('DELETE', '/appearances')
    await move(ref, 'settle')
    await test.pass(DAY_MS)
    expect(await statusOf(id)).toBe('completed')
    expect(await reconcileBank(test.deps, 'sandbox')).toEqual([])
  })
})
