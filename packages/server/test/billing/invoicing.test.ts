// One invoice is issued per partner and month, numbered without gaps, however many processes run and are killed.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { type Month, londonMonth, parseMonth } from '../../src/core/london-month.ts'
import { auditInvoices } from '../../src/domain/billing/audit-invoices.ts'
import { issueDueInvoices, issueInvoices } from '../../src/domain/billing/issue-invoices.ts'
import { markInvoicePaid, markInvoiceVoid } from '../../src/domain/billing/settle-invoice.ts'
import { closePartner } from '../../src/domain/partners/change-partner.ts'
import { findPartnerBySlug } from '../../src/storage/partners.ts'
import { verifyPartner } from '../support/verified.ts'
import { startWorker } from '../../src/jobs/worker.ts'
import type { Instance } from '../races/instances.ts'
import { ownerOf } from '../storage/owner.ts'
import type { TestApp } from '../support/app.ts'
import {
  type TestPartner,
  aPartner,
  balanceOf,
  createPayout,
  get,
  inLive,
  setBalance,
  sql,
} from '../support/fixtures.ts'
import { type BillingHouse, type LiveBank, chargesOf, startBilling, paid } from './live-bank.ts'

let test: TestApp
let second: Instance
let bank: LiveBank
let close: BillingHouse['close']
beforeEach(async () => {
  ;({ test, second, bank, close } = await startBilling())
  test.clock.set('2026-06-10T12:00:00Z')
})
afterEach(() => close())

const month = (text: string): Month => parseMonth(text)!
const partners = async (count: number) => {
  const made: TestPartner[] = []
  for (let nth = 0; nth < count; nth++) made.push(await inLive(test, await aPartner(test), '1000.00'))
  return made
}
const numbers = async () =>
  (await sql<{ number: string }>(test, 'select number from invoices order by number')).map(({ number }) => number)
const upTo = (count: number, year = 2026) =>
  Array.from({ length: count }, (_, index) => `KP-${year}-${String(index + 1).padStart(6, '0')}`)
const isRight = async () => expect((await auditInvoices(test.deps)).breaks).toEqual([])

describe('ten runs at once, in two processes', () => {
  it('make one invoice per partner and month, numbered without a gap', async () => {
    const own = await partners(8)
    await Promise.all(own.slice(0, 4).map((partner) => createPayout(test, partner)))
    test.clock.advance(5_000)
    await test.follow()
    test.clock.set('2026-09-01T06:00:00Z')
    const runs = Array.from({ length: 10 }, (_, index) => issueDueInvoices(index % 2 === 0 ? test.deps : second.deps))
    const made = (await Promise.all(runs)).flat()
    // Eight partners, June to August.
    expect(made).toHaveLength(24)
    expect(new Set(made.map(({ slug, month: of }) => `${slug} ${of}`)).size).toBe(24)
    expect(await numbers()).toEqual(upTo(24))
    await isRight()
  })
})

describe('costs with a share on top', () => {
  const networkLine = async (live: TestPartner) => {
    const [invoice] = (await get(test, live, '/v1/invoices')).json().data
    return invoice.lines.find(({ kind }: { kind: string }) => kind === 'network_fees')
  }
  const receivable = async (live: TestPartner) =>
    (
      await sql<{ balance: bigint }>(
        test,
        `select balance from ledger_accounts where partner_id = $1 and environment = 'live' and account = 'fees_receivable'`,
        [live.id],
      )
    )[0]?.balance
  const fivePayouts = async () => {
    const [live] = await partners(1)
    for (let nth = 0; nth < 5; nth++) await paid(test, live!)
    return live!
  }

  it('are exact, and rounded once: five times 0.022 is 0.11, in the month so far, on the invoice and in the ledger', async () => {
    const live = await fivePayouts()
    const line = { quantity: 5, unit_price_gbp: null, unit_price_exact_gbp: '0.022', amount_gbp: '0.11' }
    const soFar = (await get(test, live, '/v1/usage')).json().invoice_so_far.lines
    expect(soFar).toContainEqual(expect.objectContaining({ kind: 'network_fees', ...line }))
    test.clock.set('2026-07-01T06:00:00Z')
    const [issued] = await issueInvoices(test.deps, month('2026-06'))
    expect(await networkLine(live)).toMatchObject(line)
    expect(await receivable(live)).toBe(issued!.total)
    const behind = (await get(test, live, `/v1/invoices/${issued!.id}/lines/4/payouts`)).json().data
    expect(behind).toHaveLength(5)
    expect(behind[0]).toMatchObject({ charged_gbp: '0.02', charged_exact_gbp: '0.022' })
    await isRight()
    await markInvoiceVoid(test.deps, issued!.number, 'Billed in error')
    expect(await receivable(live)).toBe(0n)
    await isRight()
  })

  it.each([
    { posted: 2, adds: 'a penny more' },
    { posted: 3, adds: 'four pence less' },
  ])(
    'of a month that began when each was rounded to $posted pence are set right by the line: $adds',
    async ({ posted }) => {
      const live = await fivePayouts()
      // As the months that were open look after they were carried over: rounded in the ledger, exact beside it.
      const owner = await ownerOf(test.database.url)
      await owner.query('alter table charges disable trigger charges_are_kept')
      await owner.query(`update charges set amount_pence = $1 where kind = 'network_fees'`, [posted])
      await owner.query('alter table charges enable trigger charges_are_kept')
      await owner.query(`update charge_months set posted_pence = quantity * $1 where kind = 'network_fees'`, [posted])
      await owner.query(
        `insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
       select partner_id, 'live', cause, kind, 'fees_earned', 'fees_receivable', amount_pence, at
         from charges where kind = 'network_fees'`,
      )
      await owner.end()
      await isRight()
      test.clock.set('2026-07-01T06:00:00Z')
      const [issued] = await issueInvoices(test.deps, month('2026-06'))
      expect(await networkLine(live)).toMatchObject({ amount_gbp: '0.11' })
      expect(await receivable(live)).toBe(issued!.total)
      await isRight()
      await markInvoicePaid(test.deps, issued!.number, test.clock.now())
      expect(await receivable(live)).toBe(0n)
      await isRight()
    },
  )
})

describe('an invoice that cannot be cut', () => {
  it('leaves no gap, keeps nobody else back, is told of, and is made by the next run', async () => {
    await partners(4)
    test.clock.set('2026-07-01T06:00:00Z')
    // The third invoice fails after its number was drawn.
    await sql(test, `create sequence cuts`)
    await sql(
      test,
      `create function cut_off() returns trigger language plpgsql security definer as $$
       begin if nextval('cuts') = 3 then raise exception 'cut off'; end if; return null; end $$`,
    )
    await sql(
      test,
      `create trigger cut_off after insert on invoice_lines for each statement execute function cut_off()`,
    )
    await expect(issueInvoices(test.deps, month('2026-06'))).rejects.toThrow(
      /^1 of 4 invoices could not be cut: partner-.* for 2026-06\.$/,
    )
    expect(await numbers()).toEqual(upTo(3))
    await issueInvoices(test.deps, month('2026-06'))
    expect(await numbers()).toEqual(upTo(4))
    await isRight()
  })
})

describe('the worker', () => {
  it('cuts them five minutes after midnight on the 1st in London, and not before', async () => {
    await partners(2)
    test.clock.set('2026-06-30T23:04:59Z')
    expect(await issueDueInvoices(test.deps)).toEqual([])
    test.clock.set('2026-06-30T23:05:00Z')
    const worker = startWorker(
      test.deps,
      { sweepMs: 60_000, activityMonths: null },
      {
        onFollowed: () => undefined,
        onError: (job, error) => {
          throw new Error(job, { cause: error })
        },
      },
    )
    await vi.waitFor(async () => expect(await numbers()).toHaveLength(2), { timeout: 10_000 })
    await worker.stop()
    await isRight()
  })

  it.each([
    { change: 'winter time', month: '2026-10', early: '2026-11-01T00:04:59.999Z', at: '2026-11-01T00:05:00Z' },
    { change: 'summer time', month: '2027-03', early: '2027-03-31T23:04:59.999Z', at: '2027-03-31T23:05:00Z' },
  ])('cuts the month in which $change begins at the same time of day in London', async ({ month: of, early, at }) => {
    await partners(1)
    test.clock.set(`${of}-20T12:00:00Z`)
    await issueDueInvoices(test.deps)
    test.clock.set(early)
    expect(await issueDueInvoices({ ...test.deps, clock: { now: () => new Date(early) } })).toEqual([])
    expect(await issueDueInvoices({ ...test.deps, clock: { now: () => new Date(at) } })).toMatchObject([{ month: of }])
    await isRight()
  })

  it('catches up after months of standing still, the oldest month first, and begins each year at one', async () => {
    const [partner] = await partners(1)
    await paid(test, partner!)
    test.clock.set('2026-12-10T12:00:00Z')
    const made = await issueDueInvoices(test.deps)
    expect(made.map(({ month: of }) => of)).toEqual(['2026-06', '2026-07', '2026-08', '2026-09', '2026-10', '2026-11'])
    test.clock.set('2027-01-01T00:05:00Z')
    expect(await issueDueInvoices(test.deps)).toMatchObject([{ month: '2026-12', number: 'KP-2027-000001' }])
    expect(await numbers()).toEqual([...upTo(6), 'KP-2027-000001'])
    await isRight()
  })
})

describe('a payout that completes while its month is being closed', () => {
  it('stands on exactly one invoice, whichever comes first', async () => {
    const [partner] = await partners(1)
    test.clock.set('2026-06-30T22:59:58Z')
    await Promise.all(Array.from({ length: 6 }, () => createPayout(test, partner!)))
    // One process still has June, the other has July already and closes June.
    test.clock.set('2026-06-30T22:59:59.999Z')
    const late = test.follow().catch(() => undefined)
    const july = { ...second.deps, clock: { now: () => new Date('2026-06-30T23:00:01Z') } }
    await Promise.all([late, issueInvoices(july, month('2026-06'))])
    test.clock.set('2026-07-01T10:00:00Z')
    await test.follow()
    test.clock.set('2026-08-01T10:00:00Z')
    await issueDueInvoices(test.deps)
    const audit = await auditInvoices(test.deps)
    expect(audit).toMatchObject({ breaks: [], payouts: 6, invoices: 2 })
  })

  it('too late for it is completed in the next month instead', async () => {
    const [partner] = await partners(1)
    const { id } = (await createPayout(test, partner!)).json<{ id: string }>()
    const july = { ...second.deps, clock: { now: () => new Date('2026-07-01T00:00:01Z') } }
    await issueInvoices(july, month('2026-06'))
    test.clock.set('2026-06-30T12:00:00Z')
    await test.follow().catch(() => undefined)
    expect((await get(test, partner!, `/v1/payouts/${id}`)).json()).toMatchObject({ status: 'processing' })
    test.clock.set('2026-07-01T00:10:00Z')
    await test.follow()
    expect((await get(test, partner!, `/v1/payouts/${id}`)).json()).toMatchObject({ status: 'completed' })
    expect((await get(test, partner!, '/v1/usage')).json().payouts.completed).toBe(1)
  })
})

describe('a worker whose clock is a day ahead', () => {
  const ahead = () => ({
    ...second.deps,
    clock: { now: () => new Date(test.clock.now().getTime() + 24 * 60 * 60_000) },
  })
  const look = async () => {
    test.clock.advance(400_000)
    // What does not fit a month that is closed is refused, and looked at again.
    await test.follow().catch(() => undefined)
  }

  it('closes the month early; what the others do in what is left of it waits, and is billed once', async () => {
    const [partner] = await partners(1)
    const before = await balanceOf(test, partner!)
    const gone = await paid(test, partner!)
    const after = await balanceOf(test, partner!)
    test.clock.set('2026-06-30T12:00:00Z')
    const { id } = (await createPayout(test, partner!)).json<{ id: string }>()
    expect(await issueDueInvoices(ahead())).toMatchObject([{ month: '2026-06' }])
    expect(await issueDueInvoices(test.deps)).toEqual([])
    await expect(issueInvoices(test.deps, month('2026-06'))).rejects.toThrow('2026-06 is not over yet')
    await look()
    expect((await get(test, partner!, `/v1/payouts/${id}`)).json()).toMatchObject({ status: 'processing' })

    test.clock.set('2026-07-01T00:10:00Z')
    await look()
    expect((await get(test, partner!, `/v1/payouts/${id}`)).json()).toMatchObject({ status: 'completed' })
    test.clock.set('2026-07-31T12:00:00Z')
    expect(await issueDueInvoices(ahead())).toMatchObject([{ month: '2026-07' }])
    // It comes back on the last day of a month that is closed already: the money waits for the next one, and is there once.
    bank.says = { state: 'returned', refund: 'done' }
    await look()
    expect(await balanceOf(test, partner!)).toBe(after - (before - after))
    test.clock.set('2026-08-01T00:10:00Z')
    await look()
    await look()
    expect(await balanceOf(test, partner!)).toBe(before)
    const charged = (await chargesOf(test, partner!)).filter(({ cause }) => cause === gone || cause === id)
    expect(charged.map(({ kind, month: of }) => `${kind} ${of}`).toSorted()).toEqual([
      'bank_exceptions 2026-08',
      'bank_exceptions 2026-08',
      'network_fees 2026-06',
      'network_fees 2026-07',
      'payout_fees 2026-06',
      'payout_fees 2026-07',
    ])
    test.clock.set('2026-09-01T06:00:00Z')
    expect(
      await Promise.all([issueDueInvoices(ahead()), issueDueInvoices(test.deps)]).then((all) => all.flat()),
    ).toHaveLength(1)
    expect(await numbers()).toEqual(upTo(3))
    await isRight()
  })
})

describe('an invoice that is', () => {
  const anIssued = async () => {
    const [partner] = await partners(1)
    await paid(test, partner!)
    test.clock.set('2026-07-01T06:00:00Z')
    const [invoice] = await issueInvoices(test.deps, month('2026-06'))
    return { partner: partner!, number: invoice!.number, id: invoice!.id }
  }
  const receivable = (partner: TestPartner) =>
    sql<{ balance: bigint }>(
      test,
      `select balance from ledger_accounts
        where partner_id = $1 and environment = 'live' and account = 'fees_receivable'`,
      [partner.id],
    )

  /** Every entry there is, and what they come to. */
  const books = async () => ({
    entries: await sql(test, 'select * from ledger_entries order by partner_id, environment, id'),
    accounts: await sql(test, 'select * from ledger_accounts order by partner_id, environment, account'),
  })

  it('paid stays so, its day is kept, and what is refused then moves nothing', async () => {
    const { partner, number, id } = await anIssued()
    test.clock.set('2026-07-05T12:00:00Z')
    const before = await books()
    await expect(markInvoicePaid(test.deps, number, new Date('2026-07-06T00:00:00Z'))).rejects.toThrow(
      'paid today or was paid on a day before',
    )
    // The year before, by a slip of the hand; and a millisecond before June began in London.
    for (const early of ['2025-07-04T23:00:00Z', '2026-05-31T22:59:59.999Z']) {
      await expect(markInvoicePaid(test.deps, number, new Date(early))).rejects.toThrow(
        'cannot have been paid before that month began',
      )
    }
    expect(await books()).toEqual(before)
    await markInvoicePaid(test.deps, number, new Date('2026-07-05T00:00:00Z'))
    const after = await books()
    await expect(markInvoicePaid(test.deps, number, test.clock.now())).rejects.toThrow('is paid already')
    await expect(markInvoiceVoid(test.deps, number, 'no')).rejects.toThrow('is paid already')
    expect(await books()).toEqual(after)
    const shown = (await get(test, partner, `/v1/invoices/${id}`)).json()
    expect(shown).toMatchObject({ number, status: 'paid', paid_at: '2026-07-05T00:00:00.000Z', voided_at: null })
    await isRight()
  })

  it('paid is receivable no more, once, however many say so at once; what comes after it still is', async () => {
    const { partner, number } = await anIssued()
    expect(await receivable(partner)).toEqual([{ balance: 5_493n }])
    const tries = [test, second, test, second].map(({ deps }) => markInvoicePaid(deps, number, test.clock.now()))
    expect((await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await receivable(partner)).toEqual([{ balance: 0n }])
    expect(
      await sql(
        test,
        `select from_account, to_account, amount, at, note from ledger_entries where kind = 'payment' and partner_id = $1`,
        [partner.id],
      ),
    ).toEqual([
      { from_account: 'fees_receivable', to_account: 'fees_paid', amount: 5_493n, at: test.clock.now(), note: null },
    ])
    test.clock.set('2026-08-01T06:00:00Z')
    await issueInvoices(test.deps, month('2026-07'))
    expect(await receivable(partner)).toEqual([{ balance: 1_500n }])
    await isRight()
  })

  it('said to be paid and to be void at once is one of the two, and lowers what is receivable once', async () => {
    const { partner, number } = await anIssued()
    const tries = [
      markInvoicePaid(test.deps, number, test.clock.now()),
      markInvoiceVoid(second.deps, number, 'Billed in error'),
    ]
    expect((await Promise.allSettled(tries)).map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await receivable(partner)).toEqual([{ balance: 0n }])
    await isRight()
  })

  it('void is written off once, however many say so at once, and keeps its payouts and its number', async () => {
    const { partner, number, id } = await anIssued()
    expect(await receivable(partner)).toEqual([{ balance: 5_493n }])
    const tries = [test, second, test].map(({ deps }) => markInvoiceVoid(deps, number, 'Billed in error'))
    expect((await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await receivable(partner)).toEqual([{ balance: 0n }])
    const after = await books()
    await expect(markInvoicePaid(test.deps, number, test.clock.now())).rejects.toThrow('is void already')
    expect(await books()).toEqual(after)
    expect((await get(test, partner, `/v1/invoices/${id}`)).json()).toMatchObject({ number, status: 'void' })
    expect(await issueDueInvoices(test.deps)).toEqual([])
    await isRight()
  })

  it('there cannot be changed, taken away or numbered anew, says the database', async () => {
    await anIssued()
    for (const change of [
      `update invoices set total_pence = 0`,
      `update invoices set number = 'KP-2026-000009'`,
      `update invoices set month = '2026-05-01'`,
      `update invoices set status = 'draft'`,
      `delete from invoices`,
      `update invoice_lines set amount_pence = 0`,
      `delete from invoice_lines`,
      `truncate invoices cascade`,
      `insert into invoice_lines
         select partner_id, invoice_id, 99, kind, description, quantity, unit_price_pence, 1, period_start, period_end
           from invoice_lines limit 1`,
    ]) {
      await expect(sql(test, change)).rejects.toThrow(/never changes|does not move|append-only|sum of its lines/)
    }
  })
})

describe('the audit', () => {
  it('finds whatever is off', async () => {
    const [partner] = await partners(1)
    await paid(test, partner!)
    test.clock.set('2026-07-01T06:00:00Z')
    await issueDueInvoices(test.deps)
    await isRight()
    const triggersOff = ['invoices', 'invoice_lines', 'charges', 'payouts', 'ledger_accounts']
    const after = async (change: string) => {
      const breaks: string[] = []
      await test.owner
        .inTransaction(async (tx) => {
          const run = (text: string) => tx.query({ name: '', text })
          for (const table of triggersOff) await run(`alter table ${table} disable trigger user`)
          await run(change)
          const reports = Object.assign(Object.create(test.owner) as typeof test.owner, {
            inTransaction: <T>(work: (own: typeof tx) => Promise<T>) => work(tx),
          })
          breaks.push(...(await auditInvoices({ ...test.deps, reports })).breaks.map(({ check }) => check))
          throw new Error('taken back')
        })
        .catch((error: Error) => breaks.push(error.message))
      return breaks
    }
    expect(await after('update invoices set total_pence = total_pence + 1')).toContain(
      'total_is_not_the_sum_of_its_lines',
    )
    expect(await after(`update invoice_lines set amount_pence = 1 where kind = 'network_fees'`)).toContain(
      'line_is_not_the_sum_of_its_charges',
    )
    expect(await after(`delete from charges where kind = 'payout_fees'`)).toContain(
      'completed_payouts_are_not_those_invoiced',
    )
    expect(await after(`update payouts set completed_at = null, status = 'processing'`)).toContain(
      'completed_payouts_are_not_those_invoiced',
    )
    expect(await after(`update charges set amount_pence = amount_pence + 1`)).toContain('charge_is_not_its_entry')
    expect(await after(`update ledger_accounts set balance = balance + 1`)).toContain(
      'receivable_is_not_charged_less_written_off_and_paid',
    )
    // The invoice is marked paid without an entry, and then an entry is made without the mark.
    expect(await after(`update invoices set status = 'paid', paid_at = now()`)).toEqual([
      'invoice_is_not_its_entry',
      'receivable_is_not_charged_less_written_off_and_paid',
      'taken back',
    ])
    expect(
      await after(
        `insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
         select partner_id, 'live', id, 'payment', 'fees_receivable', 'fees_paid', 1, now() from invoices`,
      ),
    ).toContain('invoice_is_not_its_entry')
    for (const kind of ['payout_fees', 'network_fees', 'business_verification', 'monthly_account']) {
      expect(await after(`delete from charges where kind = '${kind}'`)).toContain('charges_are_not_what_happened')
    }
    expect(
      await after(`update payouts set status = 'returned', ended_at = completed_at, refund_state = 'done'`),
    ).toContain('charges_are_not_what_happened')
    expect(await after(`update charges set cause = gen_random_uuid()`)).toContain('charges_are_not_what_happened')
    expect(await after(`update invoice_lines set quantity = 0 where kind = 'network_fees'`)).toContain(
      'line_is_not_the_sum_of_its_charges',
    )
    expect(await after('update invoice_numbers set last = last + 1')).toContain('numbers_have_a_gap')
    expect(await after('delete from invoice_numbers')).toContain('numbers_have_a_gap')
    expect(await after(`update partners set verified_at = '2026-05-01T12:00:00Z'`)).toContain('invoice_is_missing')
    await isRight()
  })
})

describe('business verification approved twice in two months', () => {
  it('stands on the first invoice only', async () => {
    const [partner] = await partners(1)
    test.clock.set('2026-07-01T06:00:00Z')
    await issueDueInvoices(test.deps)
    await verifyPartner(test.deps, partner!.slug)
    test.clock.set('2026-08-01T06:00:00Z')
    await issueDueInvoices(test.deps)
    const { data } = (await get(test, partner!, '/v1/invoices')).json<{ data: { total_gbp: string }[] }>()
    expect(data.map(({ total_gbp }) => total_gbp)).toEqual(['15.00', '54.00'])
  })
})

describe('a business that is closed', () => {
  it('is billed for the month in which it ended and for none after it, and cannot end with money in live', async () => {
    const [partner] = await partners(1)
    const slug = partner!.slug
    await setBalance(test, partner!, '12.34')
    await expect(closePartner(test.deps, slug)).rejects.toThrow(`${slug} still has 12.34 USDC in live`)
    expect((await findPartnerBySlug(test.deps.db, slug))!.status).not.toBe('closed')
    await setBalance(test, partner!, '0.00')
    expect((await closePartner(test.deps, slug)).status).toBe('closed')
    const ended = londonMonth(test.clock.now())
    for (const _ of [1, 2, 3]) {
      test.clock.advance(31 * 24 * 60 * 60_000)
      await issueDueInvoices(test.deps)
    }
    const months = await sql<{ month: string }>(
      test,
      `select to_char(month, 'YYYY-MM') as month from invoices where partner_id = $1 order by month desc limit 1`,
      [partner!.id],
    )
    expect(months).toEqual([{ month: ended }])
    await isRight()
  })
})
