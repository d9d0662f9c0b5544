// A bank that leaves the reference out of its transfers, or gives one another payout's. A transfer that we know by its own
// id is still its payout's; one that two payouts could have is nobody's, moves nothing and is told of.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { handleBankEvents } from '../../src/domain/banking/feeds/bank-events.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { resolvePayout } from '../../src/domain/banking/operator/resolve-payout.ts'
import { reconcileBank } from '../../src/domain/banking/reconcile/reconcile-bank.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { releasePayout } from '../../src/domain/payouts/follow/release-payout.ts'
import { type BankApp, startBankApp } from '../support/bank-app.ts'
import { keepMessages } from '../support/bank-message.ts'
import { type TestPartner, balanceOf, createPayout, get, sql } from '../support/fixtures.ts'
import { type LyingBank, startLyingBank } from '../support/lying-bank.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

type Row = Record<string, unknown>
type Made = Awaited<ReturnType<typeof aPayout>>

let test: BankApp
let lying: LyingBank
let one: TestPartner
let other: TestPartner
beforeAll(async () => {
  test = await startBankApp({
    through: async (bank) => {
      lying = await startLyingBank(bank.provider)
      return lying.provider
    },
  })
  await test.bank.standStill()
  one = await test.aConnectedPartner()
  other = await test.aConnectedPartner()
})
afterAll(async () => {
  await test.close()
  await lying.close()
})
afterEach(async () => {
  lying.tellTheTruth()
  await sweepTransfers(test.deps, 'sandbox')
  await sql(test, 'delete from bank_rows_waiting')
})

async function aPayout(partner = one) {
  const { id } = (await createPayout(test, partner)).json<{ id: string }>()
  const { transfers } = await test.bank.books()
  return { partner, id, ref: transfers.find((each) => each.client_reference_id === id)!.id }
}

const move = async ({ ref }: Made, ...steps: string[]) => {
  for (const step of steps) await test.bank.control('POST', `/transfers/${ref}/${step}`)
}
const statusOf = async ({ partner, id }: Pick<Made, 'partner' | 'id'>) =>
  (await get(test, partner, `/v1/payouts/${id}`)).json<{ status: string }>().status
const breaks = async () => (await reconcileBank(test.deps, 'sandbox')).map(({ check, about }) => `${check} ${about}`)

/** The transfer's row is changed so wherever it is shown. */
function lieOf({ ref }: Pick<Made, 'ref'>, change: (row: Row) => Row): void {
  lying.lieAbout('/transfers', (rows) => rows.map((row) => (row['id'] === ref ? change(row) : row)))
  lying.lieAbout(`/transfers/${ref}`, (rows) => rows.map(change))
}
const nameless = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'client_reference_id'))

/** The ways on which news comes home, each by itself. */
const WAYS: Readonly<Record<string, (made: Made) => Promise<unknown>>> = {
  'from the list': () => sweepTransfers(test.deps, 'sandbox'),
  'from the follow-up': async () => {
    await test.moveClocks(10 * MINUTE_MS)
    await followPayouts(test.deps)
  },
  'from a message': async ({ ref }) => {
    await keepMessages(test.deps, [{ eventId: `event of ${ref}`, objectRef: ref }])
    await handleBankEvents(test.deps)
  },
}

describe.each(Object.entries(WAYS))('news %s without the optional reference', (_way, bringHome) => {
  it.each([
    ['completes', ['settle'], 'completed'],
    ['returns', ['settle', 'return', 'refund'], 'returned'],
    ['fails', ['undeliver', 'refund'], 'failed'],
    ['cancels', ['cancel'], 'cancelled'],
  ])('still %s the payout, and nobody is called', async (_what, steps, status) => {
    const [before, alarms] = [await balanceOf(test, one), test.alarms.length]
    const made = await aPayout()
    await move(made, ...steps)
    lieOf(made, nameless)
    await bringHome(made)
    expect(await statusOf(made)).toBe(status)
    expect((await balanceOf(test, one)) - before).toBe(status === 'completed' ? -32_070_000n : 0n)
    expect(test.alarms.slice(alarms)).toEqual([])
    expect(await breaks()).toEqual([])
  })
})

describe.each(Object.entries(WAYS))('news %s that names another payout than the transfer is of', (_way, bringHome) => {
  it('moves neither of the two, is told of once, and is a break of the books until the bank says otherwise', async () => {
    const [liar, named] = [await aPayout(), await aPayout()]
    const [before, alarms] = [await balanceOf(test, one), test.alarms.length]
    await move(liar, 'settle', 'return', 'refund')
    lieOf(liar, (row) => ({ ...row, client_reference_id: named.id }))
    for (let round = 0; round < 2; round++) await bringHome(liar)
    expect([await statusOf(liar), await statusOf(named)]).toEqual(['processing', 'processing'])
    expect(await balanceOf(test, one)).toBe(before)
    expect(test.alarms.slice(alarms).filter(({ about }) => about['payoutId'] === liar.id)).toMatchObject([
      {
        what: 'the bank gives a payout’s transfer another reference',
        about: { payoutId: liar.id, transferRef: liar.ref, named: named.id },
      },
    ])
    expect(await breaks()).toEqual(expect.arrayContaining([`transfer_of_another_payout ${liar.id}`]))
    lying.tellTheTruth()
    await test.moveClocks(DAY_MS)
    await WAYS['from the follow-up']!(liar)
    expect([await statusOf(liar), await statusOf(named)]).toEqual(['returned', 'processing'])
    expect(await breaks()).toEqual([])
  })
})

/** A payout that the bank has made, and of which nobody here knows that it has. */
async function inDoubt(partner = one): Promise<Made> {
  await test.bank.control('POST', '/faults', { route: 'POST /v0/transfers', mode: 'reset_after' })
  const made = await aPayout(partner)
  expect(await statusOf(made)).toBe('pending')
  return made
}

describe('a payout in doubt', () => {
  it.each([
    ['of its own wallet', () => one],
    ['of another partner’s', () => other],
  ])('is not given a transfer that another payout %s has, though it bears its reference', async (_of, whose) => {
    const settled = await aPayout(whose())
    const alarms = test.alarms.length
    const lost = await inDoubt()
    await move(settled, 'settle')
    // The bank does not show the transfer of the payout in doubt.
    const hide = (rows: Row[]) => rows.filter((row) => row['id'] !== lost.ref)
    lying.lieAbout('/transfers', (rows) =>
      hide(rows).map((row) => (row['id'] === settled.ref ? { ...row, client_reference_id: lost.id } : row)),
    )
    await sweepTransfers(test.deps, 'sandbox')
    expect([await statusOf(lost), await statusOf(settled)]).toEqual(['pending', 'processing'])
    expect(test.alarms.slice(alarms)).toHaveLength(1)
    lying.tellTheTruth()
    await WAYS['from the follow-up']!(settled)
    expect([await statusOf(lost), await statusOf(settled)]).toEqual(['processing', 'completed'])
    expect((await test.bank.books()).transfers.filter((each) => each.client_reference_id === lost.id)).toHaveLength(1)
    expect(await breaks()).toEqual([])
  })

  it('is not released while the bank has a transfer that may be it, and gets it on a person’s word', async () => {
    const lost = await inDoubt()
    const before = await balanceOf(test, one)
    const alarms = test.alarms.length
    lieOf(lost, nameless)
    // From now on the bank may have forgotten the key.
    await test.moveClocks(26 * 60 * MINUTE_MS)
    await test.pass(0)
    await expect(releasePayout(test.deps, lost.id, 'nobody knows')).rejects.toThrow(
      `It has transfer ${lost.ref}, which does not say which payout it is for.`,
    )
    await expect(
      resolvePayout(test.deps, lost.id, { ending: 'failed', transferRef: null, reason: 'a guess' }),
    ).rejects.toThrow(lost.ref)
    expect(await balanceOf(test, one)).toBe(before)
    expect(new Set(test.alarms.slice(alarms).map(({ what }) => what))).toEqual(
      new Set([
        'the bank has a transfer that we do not',
        'a payout is without an answer for longer than the bank remembers',
      ]),
    )
    const theirs = await aPayout()
    lying.lieAbout(`/transfers/${theirs.ref}`, (rows) => rows.map(nameless))
    const word = { ending: null, reason: 'the bank said so by telephone' }
    await expect(resolvePayout(test.deps, lost.id, { ...word, transferRef: theirs.ref })).rejects.toThrow('is not that')
    const { row } = await resolvePayout(test.deps, lost.id, { ...word, transferRef: lost.ref })
    expect(row).toMatchObject({ transferRef: lost.ref, status: 'processing' })
    await move(lost, 'settle')
    await sweepTransfers(test.deps, 'sandbox')
    expect(await statusOf(lost)).toBe('completed')
    expect(await breaks()).toEqual([])
  })
})
