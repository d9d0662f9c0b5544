// What is charged, when, and that it is charged once. The book checks that every file ends with compare the charges with
// the payouts and with the ledger.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { exactly, microPence, pence } from '../../src/core/money.ts'
import { auditInvoices } from '../../src/domain/billing/audit-invoices.ts'
import { chargeException } from '../../src/domain/charges/charge-exception.ts'
import { issueDueInvoices } from '../../src/domain/billing/issue-invoices.ts'
import { readMailbox } from '../../src/domain/mail/read-mailbox.ts'
import { resolvePayout } from '../../src/domain/banking/operator/resolve-payout.ts'
import { verifyPartner } from '../support/verified.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { recordNews } from '../../src/domain/payouts/record/record-news.ts'
import type { Instance } from '../races/instances.ts'
import type { TestApp } from '../support/app.ts'
import { aPartner, createPayout, get, inLive, sql } from '../support/fixtures.ts'
import { type BillingHouse, type LiveBank, startBilling, chargesOf, paid } from './live-bank.ts'

let test: TestApp
let second: Instance
let bank: LiveBank
let close: BillingHouse['close']
beforeAll(async () => {
  ;({ test, second, bank, close } = await startBilling())
})
afterAll(() => close())
beforeEach(() => {
  test.clock.set('2026-06-10T12:00:00Z')
  bank.says = { state: 'settled' }
})

const aLivePartner = async () => inLive(test, await aPartner(test), '5000.00')
const kinds = async (partner: { id: string }) => (await chargesOf(test, partner)).map(({ kind }) => kind)
const owed = async (partner: { id: string }) =>
  (
    await sql<{ balance: bigint }>(
      test,
      `select balance from ledger_accounts
        where partner_id = $1 and environment = 'live' and account = 'fees_receivable'`,
      [partner.id],
    )
  )[0]!.balance

describe('a recall or a trace', () => {
  const trace = (slug: string, payoutId: string) => ({ slug, payoutId, type: 'trace', cost: null }) as const

  it('is charged once, however many say so at once, and stands with its payout on the invoice', async () => {
    const live = await aLivePartner()
    const id = await paid(test, live)
    const tries = [test, second, test].map(({ deps }) => chargeException(deps, trace(live.slug, id)))
    const made = (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled')
    expect(made).toHaveLength(1)
    await expect(chargeException(test.deps, trace(live.slug, id))).rejects.toThrow('has been charged already')
    await chargeException(test.deps, { slug: live.slug, payoutId: id, type: 'recall', cost: pence(10_00n) })
    const own = (await chargesOf(test, live)).filter(({ kind }) => kind === 'bank_exceptions')
    expect(own.map(({ amount, cost }) => [amount, cost])).toEqual([
      ['3.00', '2.50'],
      ['12.00', '10.00'],
    ])
    expect(await owed(live)).toBe(3_900n + 91n)
    test.clock.set('2026-07-01T06:00:00Z')
    await issueDueInvoices(test.deps)
    const [invoice] = (await get(test, live, '/v1/invoices')).json().data
    expect(invoice.lines.at(-1)).toMatchObject({ kind: 'bank_exceptions', quantity: 2, amount_gbp: '15.00' })
    const behind = async (query: string) =>
      (await get(test, live, `/v1/invoices/${invoice.id}/lines/${invoice.lines.length}/payouts${query}`)).json()
    const first = await behind('?limit=1')
    const rest = await behind(`?limit=1&cursor=${first.next_cursor}`)
    expect([...first.data, ...rest.data].map(({ payout }) => payout.id)).toEqual([id, id])
    expect(rest.next_cursor).toBeNull()
    expect((await auditInvoices(test.deps)).breaks).toEqual([])
  })

  it('is refused at a cost that is a slip of the hand, and nothing is charged', async () => {
    const live = await aLivePartner()
    const payoutId = await paid(test, live)
    const dear = chargeException(test.deps, { ...trace(live.slug, payoutId), cost: pence(1_000_000_01n) })
    await expect(dear).rejects.toThrow('No bank asks for more than 1000000.00 GBP')
    expect(await kinds(live)).not.toContain('bank_exceptions')
  })

  it('is refused for what is no live payout of the partner, and nothing is charged', async () => {
    const [live, other] = [await aLivePartner(), await aLivePartner()]
    const foreign = await paid(test, other)
    const sandbox = (await createPayout(test, await aPartner(test))).json<{ id: string }>().id
    for (const payoutId of [foreign, sandbox, 'nonsense']) {
      await expect(chargeException(test.deps, trace(live.slug, payoutId))).rejects.toThrow('There is nothing here')
    }
    expect(await kinds(live)).toEqual(['business_verification'])
  })
})

describe('a live payout', () => {
  it('is charged when it completes, at that moment, and not before', async () => {
    const live = await aLivePartner()
    const { id } = (await createPayout(test, live, { amount_gbp: '25.00' })).json<{ id: string }>()
    expect(await kinds(live)).toEqual(['business_verification'])
    test.clock.advance(5_000)
    await test.follow()
    const at = test.clock.now()
    expect((await chargesOf(test, live)).filter(({ cause }) => cause === id)).toEqual([
      { cause: id, kind: 'network_fees', month: '2026-06', amount: '0.022', cost: '0.02', at },
      { cause: id, kind: 'payout_fees', month: '2026-06', amount: '0.91', cost: null, at },
    ])
    expect(await owed(live)).toBe(3_900n + 91n)
  })

  it('belongs to the London month of its completion', async () => {
    const live = await aLivePartner()
    test.clock.set('2026-06-30T23:29:55Z')
    const id = await paid(test, live)
    const own = (await chargesOf(test, live)).filter(({ cause }) => cause === id)
    expect(own.map(({ month }) => month)).toEqual(['2026-07', '2026-07'])
  })

  it('that comes back later keeps its fee and adds what the bank’s trouble cost', async () => {
    const live = await aLivePartner()
    const id = await paid(test, live)
    bank.says = { state: 'returned', refund: 'in_flight' }
    test.clock.advance(400_000)
    await test.follow()
    bank.says = { state: 'returned', refund: 'done' }
    test.clock.advance(400_000)
    await test.follow()
    const own = (await chargesOf(test, live)).filter(({ cause }) => cause === id)
    expect(own.map(({ kind, amount, cost }) => ({ kind, amount, cost }))).toEqual([
      { kind: 'network_fees', amount: '0.022', cost: '0.02' },
      { kind: 'payout_fees', amount: '0.91', cost: null },
      { kind: 'bank_exceptions', amount: '3.00', cost: '2.50' },
    ])
  })

  it.each([
    { state: 'returned', refund: 'done' },
    { state: 'undeliverable', refund: 'done' },
    { state: 'cancelled', refund: 'done' },
    { state: 'submitted', refund: 'none' },
  ] as const)('that is $state without having completed is never charged', async (says) => {
    const live = await aLivePartner()
    bank.says = says
    await paid(test, live)
    expect(await kinds(live)).toEqual(['business_verification'])
  })

  describe('that the bank called undone and then stands by', () => {
    const follow = async (says: LiveBank['says']) => {
      bank.says = says
      test.clock.advance(400_000)
      await test.follow()
    }
    /** Two operators, in two processes, at once. */
    const resolve = (id: string) =>
      Promise.all(
        [test, second].map(({ deps }) =>
          resolvePayout(deps, id, { ending: 'completed', transferRef: null, reason: 'the bank stands by it' }),
        ),
      )
    const ofPayout = async (live: { id: string }, id: string) =>
      (await chargesOf(test, live)).filter(({ cause }) => cause === id).map(({ kind, month }) => `${kind} ${month}`)
    const mails = async () =>
      (await readMailbox(test.deps)).filter(({ kind }) => kind === 'payout_paid_after_all').length

    it('is charged for no return, and for a true one later in the month in which its money is back', async () => {
      const live = await aLivePartner()
      const id = await paid(test, live)
      const fees = ['network_fees 2026-06', 'payout_fees 2026-06']
      await follow({ state: 'returned', refund: 'in_flight' })
      await follow({ state: 'settled' })
      const told = await mails()
      expect((await resolve(id)).map(({ row }) => row.status)).toEqual(['completed', 'completed'])
      expect([await ofPayout(live, id), (await mails()) - told]).toEqual([fees, 1])
      test.clock.set('2026-07-01T06:00:00Z')
      await issueDueInvoices(test.deps)
      expect((await auditInvoices(test.deps)).breaks).toEqual([])
      // Reported on the last day of July, back in August.
      test.clock.set('2026-07-31T21:00:00Z')
      await follow({ state: 'returned', refund: 'in_flight' })
      test.clock.set('2026-08-01T06:00:00Z')
      await issueDueInvoices(test.deps)
      expect((await auditInvoices(test.deps)).breaks).toEqual([])
      await follow({ state: 'returned', refund: 'done' })
      expect(await ofPayout(live, id)).toEqual([...fees, 'bank_exceptions 2026-08'])
      test.clock.set('2026-09-01T06:00:00Z')
      await issueDueInvoices(test.deps)
      expect((await auditInvoices(test.deps)).breaks).toEqual([])
    })

    it('is charged when it turns out to be paid, if it never had completed before', async () => {
      const live = await aLivePartner()
      const { id } = (await createPayout(test, live)).json<{ id: string }>()
      await follow({ state: 'undeliverable', refund: 'in_flight' })
      test.clock.set('2026-07-02T12:00:00Z')
      await follow({ state: 'settled' })
      expect(await ofPayout(live, id)).toEqual([])
      await resolve(id)
      expect(await ofPayout(live, id)).toEqual(['network_fees 2026-07', 'payout_fees 2026-07'])
    })
  })

  it('costs what the bank’s receipt says, where it gives one', async () => {
    const live = await aLivePartner()
    bank.says = { state: 'settled', receipt: { networkCost: exactly(pence(30n)) } }
    const id = await paid(test, live)
    const network = (await chargesOf(test, live)).find(({ cause, kind }) => cause === id && kind === 'network_fees')
    expect(network).toMatchObject({ amount: '0.33', cost: '0.30' })
  })

  it.each([
    { dollars: '5,000', networkCost: microPence(389_772_372_934n) },
    { dollars: '999,999,999,999', networkCost: microPence(77_954_474_586_763_330_215n) },
  ])('completes, and costs what the plan says, when its receipt has $dollars for the network', async (receipt) => {
    const live = await aLivePartner()
    bank.says = { state: 'settled', receipt }
    const id = await paid(test, live)
    expect((await get(test, live, `/v1/payouts/${id}`)).json().status).toBe('completed')
    const network = (await chargesOf(test, live)).find(({ cause, kind }) => cause === id && kind === 'network_fees')
    expect(network).toMatchObject({ amount: '0.022', cost: '0.02' })
  })
})

describe('sandbox', () => {
  it('is never charged, whatever happens in it', async () => {
    const partner = await aPartner(test)
    for (const reference of ['a', 'sandbox:return']) await createPayout(test, partner, { reference })
    for (let round = 0; round < 3; round++) {
      test.clock.advance(2_000)
      await test.follow()
    }
    expect(await chargesOf(test, partner)).toEqual([])
  })

  it('cannot be charged: the database refuses it', async () => {
    const partner = await aPartner(test)
    const entry = sql(
      test,
      `insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
       values ($1, 'sandbox', $1, 'payout_fees', 'fees_earned', 'fees_receivable', 1, now())`,
      [partner.id],
    )
    await expect(entry).rejects.toThrow('sandbox_is_never_charged')
  })
})

describe('business verification', () => {
  it('is charged once, however often and by however many it is approved', async () => {
    const partner = await aPartner(test)
    await Promise.all([test.deps, second.deps, test.deps].map((deps) => verifyPartner(deps, partner.slug)))
    test.clock.set('2026-09-01T12:00:00Z')
    await verifyPartner(test.deps, partner.slug)
    expect(await chargesOf(test, partner)).toMatchObject([
      { cause: partner.id, kind: 'business_verification', month: '2026-06', amount: '39.00' },
    ])
  })

  it('for nothing leaves a charge of nothing, and no entry', async () => {
    const partner = await aPartner(test)
    await sql(test, 'update plans set business_verification_pence = 0 where partner_id = $1', [partner.id])
    await verifyPartner(test.deps, partner.slug)
    expect(await chargesOf(test, partner)).toMatchObject([{ amount: '0.00' }])
    expect(await owed(partner)).toBe(0n)
  })
})

describe('each charge exists at most once', () => {
  it('when twenty workers of two processes find the same thirty payouts completed', async () => {
    const live = await aLivePartner()
    await Promise.all(Array.from({ length: 30 }, () => createPayout(test, live)))
    test.clock.advance(5_000)
    const workers = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? test.deps : second.deps))
    await Promise.all(workers.map((deps) => followPayouts(deps)))
    await test.follow()
    expect((await kinds(live)).filter((kind) => kind === 'payout_fees')).toHaveLength(30)
    expect(await owed(live)).toBe(3_900n + 30n * 91n)
  })

  it('when the bank says the same thing many times at once, in both processes, and then that it came back', async () => {
    const live = await aLivePartner()
    const { id } = (await createPayout(test, live)).json<{ id: string }>()
    const tell = async (state: 'settled' | 'returned') => {
      const transfer = { transferRef: `live_${id}`, state, refund: 'none', reason: null, bankState: state } as const
      const news = [{ payoutId: id, transfer: { ...transfer, nextChangeAt: null } }]
      const scope = { partnerId: live.id, environment: 'live' } as const
      await Promise.all([test, second, test, second, test].map(({ deps }) => recordNews(deps, scope, news)))
    }
    await tell('settled')
    await tell('returned')
    await tell('settled')
    await tell('returned')
    // Reported is not back yet.
    const completed = ['business_verification', 'network_fees', 'payout_fees']
    expect((await kinds(live)).toSorted()).toEqual(completed)
    bank.says = { state: 'returned', refund: 'done' }
    test.clock.advance(400_000)
    await Promise.all([test, second].map(({ deps }) => followPayouts(deps)))
    await test.follow()
    expect((await kinds(live)).toSorted()).toEqual(['bank_exceptions', ...completed])
  })

  it('because the database takes no second one, and lets none be changed or taken away', async () => {
    const live = await aLivePartner()
    const again = sql(
      test,
      `insert into charges select partner_id, cause, kind, month, amount_pence, cost_pence, at from charges
        where partner_id = $1`,
      [live.id],
    )
    await expect(again).rejects.toThrow('charges_pkey')
    for (const change of ['update charges set amount_pence = 0', 'delete from charges']) {
      await expect(sql(test, `${change} where partner_id = $1`, [live.id])).rejects.toThrow('charges is append-only')
    }
    await expect(sql(test, 'truncate charges')).rejects.toThrow('charges is append-only')
  })
})

describe('a charge and what it is for', () => {
  it('happen together or not at all: a payout whose charge is refused has not completed', async () => {
    const live = await aLivePartner()
    const { id } = (await createPayout(test, live)).json<{ id: string }>()
    await sql(test, `alter table charges add constraint broken check (kind <> 'network_fees') not valid`)
    test.clock.advance(5_000)
    await test.follow().catch(() => undefined)
    expect((await get(test, live, `/v1/payouts/${id}`)).json()).toMatchObject({ status: 'processing' })
    expect(await kinds(live)).toEqual(['business_verification'])
    await sql(test, 'alter table charges drop constraint broken')
    test.clock.advance(60_000)
    await test.follow()
    expect((await get(test, live, `/v1/payouts/${id}`)).json()).toMatchObject({ status: 'completed' })
    expect(await kinds(live)).toEqual(['business_verification', 'network_fees', 'payout_fees'])
  })

  it('stand in the London month of their moment, says the database too', async () => {
    const live = await aLivePartner()
    const wrong = sql(
      test,
      `insert into charges (partner_id, cause, kind, month, amount_pence, at)
       values ($1, gen_random_uuid(), 'payout_fees', '2026-06-01', 1, '2026-06-30T23:00:00Z')`,
      [live.id],
    )
    await expect(wrong).rejects.toThrow('charges_check')
  })
})
