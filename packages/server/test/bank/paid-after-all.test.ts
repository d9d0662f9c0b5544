// The bank takes back that a payout came back: it says "returned" after it was completed, and then stands by the payment.
// Only a person ends that, with proof; nothing is posted or charged twice, and a true return after it is followed.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { handleBankEvents } from '../../src/domain/banking/feeds/bank-events.ts'
import { sweepDeposits } from '../../src/domain/banking/feeds/credit-deposits.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { type Ending, resolvePayout } from '../../src/domain/banking/operator/resolve-payout.ts'
import { reconcileBank } from '../../src/domain/banking/reconcile/reconcile-bank.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { recordNews } from '../../src/domain/payouts/record/record-news.ts'
import { findBreaks } from '../../src/storage/book-checks.ts'
import { type BankApp, accountAtBank, startBankApp } from '../support/bank-app.ts'
import { type Kestrel, commandsOn } from '../support/commands.ts'
import { type TestPartner, balanceOf, createPayout, get, sql } from '../support/fixtures.ts'
import { type LyingBank, startLyingBank } from '../support/lying-bank.ts'

const FLOAT = 10_000_000_000n
const SENT = 32_070_000n
const REASON = ['--reason', 'the bank stands by it, ticket 17']
const RETURNED = `state = 'returned', return_reason = 'Closed (00000002)'`
const CONTRADICTS = 'the bank contradicts what it said of a payout'

let test: BankApp
let lying: LyingBank
let kestrel: Kestrel
let partner: TestPartner
beforeAll(async () => {
  test = await startBankApp({
    through: async (bank) => {
      lying = await startLyingBank(bank.provider)
      return lying.provider
    },
  })
  await test.bank.query('alter table transfers disable trigger user')
  await test.bank.standStill()
  kestrel = commandsOn(test, lying.provider)
})
afterAll(async () => {
  await test.close()
  await lying.close()
})
beforeEach(async () => {
  lying.tellTheTruth()
  partner = await test.aConnectedPartner()
})

interface AtBank {
  readonly id: string
  readonly ref: string
}

const sweep = async () => {
  await sweepTransfers(test.deps, 'sandbox')
  await sweepDeposits(test.deps, 'sandbox')
}
const step = ({ ref }: AtBank, name: string) => test.bank.control('POST', `/transfers/${ref}/${name}`)

/** What no bank's API would do to a transfer. */
async function put({ ref }: AtBank, change: string): Promise<void> {
  await test.bank.query(
    `update transfers set ${change}, updated_at = greatest(updated_at, now()) + interval '1 second' where id = $1`,
    [ref],
  )
}

/** A payout after the bank has done these things to it, one after the other, each of them seen. */
async function aPayout(...steps: readonly string[]): Promise<AtBank> {
  const { id } = (await createPayout(test, partner)).json<{ id: string }>()
  const { transfers } = await test.bank.books()
  const made = { id, ref: transfers.find((each) => each.client_reference_id === id)!.id }
  for (const name of steps) {
    await step(made, name)
    await sweep()
  }
  return made
}

const standsBy = async (made: AtBank) => {
  await put(made, `state = 'payment_processed', return_reason = null`)
  await sweep()
}

/** It had arrived, or not yet, and ended; the bank says now that it was paid. */
async function contradicted(...steps: readonly string[]): Promise<AtBank> {
  const made = await aPayout(...steps)
  await standsBy(made)
  return made
}

/** Money that the bank moves by hand. */
async function adjust(amount: bigint): Promise<void> {
  const { walletRef } = await accountAtBank(test, partner)
  await test.bank.control('POST', `/wallets/${walletRef}/adjust`, { amount_micro: String(amount), reason: 'by hand' })
}

const word = ({ id }: AtBank) => ['payout', 'resolve', id, '--completed', ...REASON]
const show = ({ id }: AtBank) => kestrel('payout', 'show', id)
const alarmsOf = ({ id }: AtBank) => test.alarms.filter(({ about }) => about['payoutId'] === id).map(({ what }) => what)
const breaksOf = async ({ id }: AtBank) =>
  (await reconcileBank(test.deps, 'sandbox')).filter(({ about }) => about === id).map(({ check }) => check)
const booksAgree = async () => {
  expect(await findBreaks(test.deps.db)).toEqual([])
  const own = (await reconcileBank(test.deps, 'sandbox')).filter(({ partnerId }) => partnerId === partner.id)
  expect(own).toEqual([])
}
const entriesOf = async ({ id }: AtBank) =>
  (
    await sql<{ kind: string; from: string; to: string }>(
      test,
      `select kind, from_account as from, to_account as to from ledger_entries
        where cause = $1 and kind <> 'surplus' order by id`,
      [id],
    )
  ).map(({ kind, from, to }) => `${kind} ${from}>${to}`)
const actions = async () =>
  (
    await sql<{ detail: string }>(
      test,
      `select detail from activity where partner_id = $1 and by = 'operator' and action = 'payout.resolve' order by at`,
      [partner.id],
    )
  ).map(({ detail }) => detail)

const say = ({ id }: AtBank, ending: Ending = 'completed', transferRef: string | null = null) =>
  resolvePayout(test.deps, id, { ending, transferRef, reason: 'the bank stands by it, ticket 17' })

async function expectUntouched(
  made: AtBank,
  says: RegExp,
  trying: () => Promise<unknown> = () => say(made),
): Promise<void> {
  const all = async () => ({
    payout: await sql(test, 'select status, refund_state, completed_at, ended_at from payouts where id = $1', [
      made.id,
    ]),
    entries: await sql(test, 'select id from ledger_entries where partner_id = $1 order by id', [partner.id]),
    actions: await actions(),
  })
  const before = await all()
  await expect(trying()).rejects.toThrow(says)
  expect(await all()).toEqual(before)
}

const SENT_AND_PAID = ['hold available>held', 'capture held>in_transit', 'settle in_transit>paid_out']

describe('a return that was not one', () => {
  it('is told, and flips nothing by itself, however often and by whatever way the bank says so', async () => {
    const made = await contradicted('settle', 'return')
    await sweep()
    await test.moveClocks(10 * 60_000)
    await followPayouts(test.deps)
    await kestrel('payout', 'refresh', made.id)
    expect(await show(made)).toMatchObject({ status: 'returned', money: { in: 'paid_out', refund: 'due' } })
    expect(alarmsOf(made)).toEqual([CONTRADICTS])
    expect(await breaksOf(made)).toEqual(['paid_after_ending'])
  })

  it('is completed again by a person: no money moves, nothing is due, and the books agree', async () => {
    const made = await contradicted('settle', 'return')
    const before = await show(made)
    expect(await kestrel(...word(made))).toMatchObject({
      status: 'completed',
      failure_reason: null,
      completed_at: (before as { completed_at: string }).completed_at,
      ended_at: null,
      money: { in: 'paid_out', refund: 'none' },
      bank: { reason: null },
      inside: { next_check_at: null, endings_undone: 1 },
    })
    expect(await entriesOf(made)).toEqual(SENT_AND_PAID)
    expect(await actions()).toEqual([`${made.id} completed, no longer returned: the bank stands by it, ticket 17`])
    await booksAgree()
    // The partner is told what was said meanwhile.
    const { data, next } = (await get(test, partner, `/v1/payouts/${made.id}/timeline`)).json<{
      data: { kind: string; detail: string }[]
      next: string | null
    }>()
    expect(data.map(({ kind }) => kind)).toEqual(['created', 'reserved', 'sent', 'completed', 'returned', 'completed'])
    expect(data.at(-1)?.detail).toMatch(/took that back/)
    expect(next).toBeNull()
  })
})

describe('an ending that was none', () => {
  it.each([
    { ended: 'returned', hadArrived: true, how: RETURNED },
    { ended: 'returned', hadArrived: true, how: `state = 'error', return_reason = 'No such account (1114)'` },
    { ended: 'returned', hadArrived: false, how: RETURNED },
    { ended: 'failed', hadArrived: false, how: `state = 'undeliverable', return_reason = 'No such account (1114)'` },
  ])('$ended, arrived before: $hadArrived ($how): is paid once', async ({ ended, hadArrived, how }) => {
    const made = await aPayout(...(hadArrived ? ['settle'] : []))
    await put(made, how)
    await sweep()
    expect(await show(made)).toMatchObject({ status: ended, money: { refund: 'due' } })
    await standsBy(made)
    expect(alarmsOf(made)).toEqual([CONTRADICTS])
    expect(await kestrel(...word(made))).toMatchObject({
      status: 'completed',
      money: { in: 'paid_out', refund: 'none' },
    })
    expect(await entriesOf(made)).toEqual(SENT_AND_PAID)
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
    const usage = (await get(test, partner, '/v1/usage')).json<{ payouts: { completed: number } }>()
    expect(usage.payouts.completed).toBe(1)
    expect(await findBreaks(test.deps.db)).toEqual([])
    const { data } = (await get(test, partner, `/v1/payouts/${made.id}/timeline`)).json<{ data: { kind: string }[] }>()
    const first = hadArrived ? ['completed'] : []
    expect(data.map(({ kind }) => kind)).toEqual(['created', 'reserved', 'sent', ...first, ended, 'completed'])
  })

  it('said again, or by two at once in two processes, is undone once', async () => {
    const made = await contradicted('settle', 'return')
    const other = await test.anotherInstance()
    const told = { ending: 'completed', transferRef: null, reason: 'two at once' } as const
    const both = await Promise.all([test, other].map(({ deps }) => resolvePayout(deps, made.id, told)))
    expect(both.map(({ row }) => [row.status, row.endingsUndone])).toEqual([
      ['completed', 1],
      ['completed', 1],
    ])
    await say(made)
    expect(await actions()).toEqual([`${made.id} completed, no longer returned: two at once`])
    expect(await entriesOf(made)).toEqual(SENT_AND_PAID)
    await booksAgree()
  })

  it('by somebody who looked before another had said so is nothing more', async () => {
    const made = await contradicted('settle', 'return')
    let first: Promise<unknown> | null = null
    const { provider_sandbox: rail } = test.deps.rails
    // Between the look at the payout and the record of what the bank shows, another operator says the same.
    const readListed: typeof rail.readListed = async (ref) => {
      first ??= say(made)
      await first
      return rail.readListed(ref)
    }
    const other = await test.anotherInstance()
    Object.assign(other.deps.rails, { provider_sandbox: { ...rail, readListed } })
    const told = { ending: 'completed', transferRef: null, reason: 'too late' } as const
    expect((await resolvePayout(other.deps, made.id, told)).row).toMatchObject({
      status: 'completed',
      endingsUndone: 1,
    })
    expect(await actions()).toEqual([`${made.id} completed, no longer returned: the bank stands by it, ticket 17`])
  })

  it('comes back truly: it is followed, told, refunded once and ends for good', async () => {
    const made = await contradicted('settle', 'return')
    await say(made)
    await put(made, RETURNED)
    await sweep()
    expect(await show(made)).toMatchObject({ status: 'returned', money: { in: 'paid_out', refund: 'due' } })
    expect(alarmsOf(made)).toEqual([CONTRADICTS, CONTRADICTS])
    // And once more: the bank stands by it again, a person says so again, and then it is back.
    await standsBy(made)
    expect(alarmsOf(made)).toEqual([CONTRADICTS, CONTRADICTS, CONTRADICTS])
    expect(await kestrel(...word(made))).toMatchObject({ status: 'completed', inside: { endings_undone: 2 } })
    await put(made, RETURNED)
    await sweep()
    await step(made, 'refund')
    await Promise.all([sweep(), handleBankEvents(test.deps), followPayouts(test.deps)])
    await sweep()
    expect(await show(made)).toMatchObject({ status: 'returned', money: { in: 'available', refund: 'done' } })
    expect(await entriesOf(made)).toEqual([...SENT_AND_PAID, 'refund paid_out>available'])
    expect(await balanceOf(test, partner)).toBe(FLOAT)
    await booksAgree()
    const { data } = (await get(test, partner, `/v1/payouts/${made.id}/timeline`)).json<{ data: { kind: string }[] }>()
    expect(data.slice(3).map(({ kind }) => kind)).toEqual(
      'completed returned completed returned completed returned refunded'.split(' '),
    )
    // What was given back never flips, whatever the bank says then and whoever asks for it.
    await standsBy(made)
    await adjust(-SENT)
    await expectUntouched(made, /given back to the wallet, so it stays so\. .* wallet debit --reference payout:/)
    expect(await breaksOf(made)).toEqual(['paid_after_ending'])
    const debit = ['--partner', partner.slug, '--environment', 'sandbox', '--usdc', '32.07', ...REASON]
    await kestrel('wallet', 'debit', ...debit, '--reference', `payout:${made.id}`)
    await booksAgree()
  })

  it('with another amount taken after it had arrived: the wallet follows, and the difference stays booked once', async () => {
    const made = await aPayout('settle')
    await put(made, 'amount_micro = amount_micro + 5000000, exchange_fee_micro = 0')
    await adjust(-5_000_000n)
    await sweep()
    await step(made, 'return')
    await sweep()
    await put(made, `state = 'payment_processed', amount_micro = amount_micro - 2000000`)
    await adjust(2_000_000n)
    await sweep()
    expect(await kestrel(...word(made))).toMatchObject({
      status: 'completed',
      money: { in: 'paid_out', bank_took_usdc: '35.07' },
    })
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT - 3_000_000n)
    await booksAgree()
    await put(made, `state = 'refunded', refund_reference = 'r', return_reason = 'Closed (00000002)'`)
    await adjust(SENT + 3_000_000n)
    await sweep()
    expect(await balanceOf(test, partner)).toBe(FLOAT)
    await booksAgree()
  })
})

describe('the operator’s word is not enough', () => {
  it('while the bank’s list and the transfer itself do not both stand by it', async () => {
    const made = await aPayout('settle', 'return')
    await expectUntouched(made, /shows .* as returned: that is recorded, and no more/)
    await standsBy(made)
    const lie = (state: string) => (rows: Record<string, unknown>[]) =>
      rows.map((row) => (row['id'] === made.ref ? { ...row, state } : row))
    lying.lieAbout('/transfers', lie('returned'))
    await expectUntouched(made, /its list has .* as returned\. Ask it which is true/)
    lying.lieAbout('/transfers', (rows) => rows.filter((row) => row['id'] !== made.ref))
    await expectUntouched(made, /its list has nothing of it/)
    lying.tellTheTruth()
    lying.lieAbout(`/transfers/${made.ref}`, lie('refund_in_flight'))
    await expectUntouched(made, /as refund_in_flight: that is recorded, and no more/)
    lying.lieAbout(`/transfers/${made.ref}`, lie('quantum'))
    await expectUntouched(made, /as quantum: that is recorded, and no more/)
    lying.tellTheTruth()
    lying.refuse(({ path }) => (path === `/transfers/${made.ref}` ? 404 : null))
    await expectUntouched(made, /shows no transfer/)
    lying.refuse(({ path }) => (path.includes('/wallets/') ? 500 : null))
    await expectUntouched(made, /could not be asked, so nothing was changed/)
    lying.refuse(null)
    await expectUntouched(made, /has transfer .*, not another/, () => say(made, 'completed', 'another'))
    expect((await say(made)).row.status).toBe('completed')
  })

  it('while what the bank shows is older than the return: for an hour it may be a part that has not heard of it', async () => {
    const made = await aPayout('settle')
    const [old] = await test.bank.query<{ at: Date }>('select updated_at as at from transfers where id = $1', [
      made.ref,
    ])
    await put(made, RETURNED)
    await sweep()
    await test.bank.query(
      `update transfers set state = 'payment_processed', return_reason = null, updated_at = $2 where id = $1`,
      [made.ref, old!.at],
    )
    await expectUntouched(made, /is older than its word that it was undone\. Ask again after 20/)
    await sql(test, `update payouts set ended_at = ended_at - interval '61 minutes' where id = $1`, [made.id])
    expect((await say(made)).row.status).toBe('completed')
    await booksAgree()
  })

  it('while the bank’s wallet holds more than the books say: that may be its refund, or a part of it', async () => {
    const made = await contradicted('settle', 'return')
    for (const amount of [SENT, -SENT + 1n]) {
      await adjust(amount)
      await expectUntouched(made, /holds .* USDC more than our books say, and that may be the money of/)
    }
    await adjust(-1n)
    const { holderRef, walletRef } = await accountAtBank(test, partner)
    let looks = 0
    lying.lieAbout(`/customers/${holderRef}/wallets/${walletRef}`, (rows) =>
      looks++ === 0 ? rows : rows.map((row) => ({ ...row, balances: [{ currency: 'usdc', balance: '10000.00' }] })),
    )
    await expectUntouched(made, /holds 32\.07 USDC more than our books say/)
    lying.tellTheTruth()
    expect((await say(made)).row.status).toBe('completed')
  })

  it.each([
    { look: 1, why: 'its money was given back to the wallet' },
    { look: 2, why: 'has said something new of' },
  ])('for what the bank has paid back right after look $look, before the word is written', async ({ look, why }) => {
    const made = await contradicted('settle', 'return')
    const { provider_sandbox: rail } = test.deps.rails
    let looks = 0
    let listed: Promise<unknown> = Promise.resolve()
    const findTransfers: typeof rail.findTransfers = (sought) => {
      const found = rail.findTransfers(sought)
      listed = found
      return found
    }
    const readListed: typeof rail.readListed = async (ref) => {
      const shown = await rail.readListed(ref)
      await listed
      if (++looks !== look) return shown
      await put(made, `state = 'refunded', refund_reference = 'r', return_reason = 'Closed (00000002)'`)
      await adjust(SENT)
      await sweep()
      return shown
    }
    const other = await test.anotherInstance()
    Object.assign(other.deps.rails, { provider_sandbox: { ...rail, readListed, findTransfers } })
    const told = { ending: 'completed', transferRef: null, reason: 'too late' } as const
    await expect(resolvePayout(other.deps, made.id, told)).rejects.toThrow(why)
    expect(looks).toBe(look)
    expect(await show(made)).toMatchObject({ status: 'returned', money: { in: 'available', refund: 'done' } })
    expect(await balanceOf(test, partner)).toBe(FLOAT)
    await booksAgree()
  })
})

describe('another payout of the wallet whose refund the bank made by hand', () => {
  it('waits while nobody knows whose money it is, and no longer once a person has said so of the first', async () => {
    const made = await contradicted('settle', 'return')
    const other = await aPayout('settle', 'return')
    await adjust(SENT)
    // The bank has called this payout both: what its wallet holds more may be the one's or the other's.
    await expectUntouched(other, new RegExp(`${made.id} is under way`), () => say(other, 'returned'))
    expect((await say(made)).row.status).toBe('completed')
    await say(other, 'returned')
    expect(await show(other)).toMatchObject({ status: 'returned', money: { in: 'available', refund: 'done' } })
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
    await put(other, `state = 'refunded', refund_reference = 'r', return_reason = 'Closed (00000002)'`)
    await sweep()
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
    await booksAgree()
  })

  it('accounts for as much as it was, and for no more', async () => {
    const made = await contradicted('settle', 'return')
    await aPayout('settle', 'return')
    await adjust(2n * SENT)
    await expectUntouched(made, /holds 64\.14 USDC more than our books say/)
    expect(await show(made)).toMatchObject({ status: 'returned', money: { refund: 'due' } })
  })
})

describe('a message, a sweep, the follow-up and a person at once', () => {
  it('end in one story: paid once, or back once', async () => {
    const other = await test.anotherInstance()
    for (let round = 0; round < 2; round++) {
      const made = await contradicted('settle', 'return')
      const read = () => test.deps.rails.provider_sandbox.readListed(made.ref)
      const told = { ending: 'completed', transferRef: null, reason: 'at once' } as const
      await Promise.allSettled([
        resolvePayout(test.deps, made.id, told),
        resolvePayout(other.deps, made.id, told),
        sweepTransfers(other.deps, 'sandbox'),
        followPayouts(other.deps),
        (async () => {
          const transfer = await read()
          const scope = { partnerId: partner.id, environment: 'sandbox' } as const
          for (let time = 0; time < 5; time++) {
            await recordNews(test.deps, scope, [{ payoutId: made.id, transfer: transfer! }])
          }
        })(),
      ])
      await sql(test, 'update payout_follow_ups set lease_until = null, lease_token = null where payout_id = $1', [
        made.id,
      ])
      await say(made)
      expect(await show(made)).toMatchObject({ status: 'completed', inside: { endings_undone: 1 } })
      expect(await entriesOf(made)).toEqual(SENT_AND_PAID)
      await put(made, `state = 'refunded', refund_reference = 'r', return_reason = 'Closed (00000002)'`)
      await adjust(SENT)
      const transfer = await read()
      await Promise.allSettled([
        sweepTransfers(test.deps, 'sandbox'),
        sweepTransfers(other.deps, 'sandbox'),
        ...[test, other].map(({ deps }) =>
          recordNews(deps, { partnerId: partner.id, environment: 'sandbox' }, [
            { payoutId: made.id, transfer: transfer! },
          ]),
        ),
        resolvePayout(test.deps, made.id, told),
      ])
      expect(await show(made)).toMatchObject({ status: 'returned', money: { refund: 'done' } })
      expect(await entriesOf(made)).toEqual([...SENT_AND_PAID, 'refund paid_out>available'])
      expect(await balanceOf(test, partner)).toBe(FLOAT)
    }
    await booksAgree()
  })
})
