// An invoice on paper and in the post.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { parseMonth } from '../../src/core/london-month.ts'
import { formatUsdcExact, pence } from '../../src/core/money.ts'
import { issueInvoices } from '../../src/domain/billing/issue-invoices.ts'
import { mailInvoiceNow } from '../../src/domain/billing/mail-invoice-now.ts'
import { mailInvoices } from '../../src/domain/billing/mail-invoices.ts'
import { markInvoicePaid, markInvoiceVoid } from '../../src/domain/billing/settle-invoice.ts'
import { readMailbox } from '../../src/domain/mail/read-mailbox.ts'
import { setPlan } from '../../src/domain/partners/set-plan.ts'
import { sumMovements } from '../../src/storage/statements.ts'
import type { Instance } from '../races/instances.ts'
import type { TestApp } from '../support/app.ts'
import { type TestPartner, aPartner, get, inLive, setBalance, sql } from '../support/fixtures.ts'
import { BROKEN_PNG, plainPng } from '../support/images.ts'
import { pdfWords } from '../support/pdf-words.ts'
import { type BillingHouse, type LiveBank, startBilling, paid } from './live-bank.ts'

let test: TestApp
let second: Instance
let bank: LiveBank
let close: BillingHouse['close']
beforeAll(async () => {
  ;({ test, second, bank, close } = await startBilling())
})
afterAll(() => close())
beforeEach(() => {
  bank.says = { state: 'settled' }
})

const aLogo = () => plainPng(48, 16)

/** The first call does it; the others get its promise. */
function once<T>(act: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | null = null
  return () => (done ??= act())
}

async function anInvoice(
  options: { name?: string; email?: string | null } = {},
): Promise<{ live: TestPartner; id: string; number: string }> {
  test.clock.set('2026-06-10T12:00:00Z')
  const live = await inLive(test, await aPartner(test), '1000.00')
  const { name = 'Thistle Market', email = 'accounts@thistle.test' } = options
  await sql(test, 'update partners set name = $2, billing_email = $3 where id = $1', [live.id, name, email])
  await paid(test, live, '250.00')
  await paid(test, live, '120.50')
  test.clock.set('2026-07-01T06:00:00Z')
  const issued = await issueInvoices(test.deps, parseMonth('2026-06')!)
  const own = issued.find(({ slug }) => slug === live.slug)!
  return { live, id: own.id, number: own.number }
}

const pdfOf = async (live: TestPartner, id: string) => {
  const reply = await get(test, live, `/v1/invoices/${id}.pdf`)
  expect(reply.statusCode).toBe(200)
  return reply
}

describe('GET /v1/invoices/{id}.pdf, 200', () => {
  it('is a tagged document in British English that says what the invoice says', async () => {
    const { live, id, number } = await anInvoice({ name: 'Łódź & Zoë Щука 東京 Ltd' })
    await sql(
      test,
      `update partners set remade_logo = $2, remade_logo_type = 'image/png', remade_logo_hash = repeat('a', 64), brand_color = '#0f766e' where id = $1`,
      [live.id, aLogo()],
    )
    const reply = await pdfOf(live, id)
    expect(reply.headers['content-type']).toBe('application/pdf')
    expect(reply.headers['content-disposition']).toBe(`inline; filename="${number}.pdf"`)
    // The dashboard shows it in a frame; nobody else may.
    expect(reply.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'self'")
    const raw = reply.rawPayload.toString('latin1')
    expect(raw).toMatch(/^%PDF-1\.7/)
    expect(raw).toContain('/Lang (en-GB)')
    expect(raw).toContain('/Marked true')
    for (const tag of ['H1', 'Table', 'TR', 'TH', 'TD']) expect(raw).toContain(`/S /${tag}`)
    expect(raw).toContain('/Subtype /Image')
    const words = pdfWords(reply.rawPayload)
    for (const said of [
      'Invoice',
      number,
      'Łódź & Zoë Щука ?? Ltd',
      'accounts@thistle.test',
      'For June 2026',
      'Issued 1 July 2026',
      'Due 15 July 2026',
      'Monthly account',
      '39.00',
      'At the beginning',
      '1,000.00',
      'Top-ups',
      'At the end',
    ]) {
      expect(words).toContain(said)
    }
    const { total_gbp } = (await get(test, live, `/v1/invoices/${id}`)).json()
    expect(words).toContain(`£${total_gbp}`)
    if (process.env['KEEP_PDF'] !== undefined) writeFileSync(process.env['KEEP_PDF'], reply.rawPayload)
  })

  it('writes what left the wallet with a minus sign, which is no hyphen', async () => {
    const { live, id } = await anInvoice()
    test.clock.set('2026-06-20T12:00:00Z')
    await setBalance(test, live, '500.00')
    const period = { from: new Date('2026-05-31T23:00:00Z'), to: new Date('2026-06-30T23:00:00Z') }
    const sums = await sumMovements(test.deps.reports, { partnerId: live.id, environment: 'live' }, period)
    const rows = pdfWords((await pdfOf(live, id)).rawPayload).split('\n')
    const after = (name: string) => rows[rows.indexOf(name) + 1]
    expect([sums.takenOut > 0n, sums.paidOut > 0n]).toEqual([true, true])
    expect(after('Corrections')).toBe(`\u2212${formatUsdcExact(sums.takenOut)}`)
    expect(after('Payouts')).toBe(`\u2212${formatUsdcExact(sums.paidOut)}`)
  })

  it('is the same every time, until the invoice is paid', async () => {
    const { live, id, number } = await anInvoice()
    const first = (await pdfOf(live, id)).rawPayload
    test.clock.set('2026-09-01T00:00:00Z')
    expect((await pdfOf(live, id)).rawPayload.equals(first)).toBe(true)
    await markInvoicePaid(test.deps, number, new Date('2026-07-05T00:00:00Z'))
    expect(pdfWords((await pdfOf(live, id)).rawPayload)).toContain('Paid on 5 July 2026')
  })

  it('is made out to whom the business said when it was issued, and stays so', async () => {
    const { live, id } = await anInvoice()
    expect(pdfWords((await pdfOf(live, id)).rawPayload)).toContain('Thistle Market')
    await sql(
      test,
      `update partners set name = 'Thistle', billing_name = 'Thistle Trading Ltd', vat_number = 'GB123456789',
         billing_address = array['1 High Street', 'Leeds', 'LS1 1AA'] where id = $1`,
      [live.id],
    )
    const before = pdfWords((await pdfOf(live, id)).rawPayload)
    expect(before).toContain('Thistle Market')
    expect(before).not.toContain('High Street')
    test.clock.set('2026-08-01T06:00:00Z')
    const july = (await issueInvoices(test.deps, parseMonth('2026-07')!)).find(({ slug }) => slug === live.slug)
    const after = pdfWords((await pdfOf(live, july!.id)).rawPayload)
    for (const said of ['Thistle Trading Ltd', '1 High Street', 'Leeds', 'LS1 1AA', 'VAT number GB123456789']) {
      expect(after).toContain(said)
    }
  })

  it('is made even when the logo is no picture', async () => {
    const { live, id } = await anInvoice()
    await sql(
      test,
      `update partners set remade_logo = 'nonsense', remade_logo_type = 'image/png', remade_logo_hash = repeat('a', 64) where id = $1`,
      [live.id],
    )
    expect(pdfWords((await pdfOf(live, id)).rawPayload)).toContain('Thistle Market')
  })

  it('has one page, and no reader complains about it', async ({ skip }) => {
    const { live, id } = await anInvoice()
    const { rawPayload } = await pdfOf(live, id)
    expect(rawPayload.toString('latin1')).toMatch(/\/Count 1\b/)
    const checked = spawnSync('pdfinfo', ['-'], { input: rawPayload, encoding: 'utf8' })
    // The program is not on every machine; where it is, its verdict counts.
    if (checked.error !== undefined) return skip('there is no pdfinfo here')
    expect(checked.stdout).toMatch(/Tagged: +yes/)
    expect(checked.stdout + checked.stderr).not.toContain('Error')
  })
})

describe('GET /v1/invoices/{id}.pdf, 404', () => {
  it('is for ids that are unknown, foreign or malformed', async () => {
    const { id } = await anInvoice()
    const stranger = await aPartner(test)
    for (const path of [`${id}.pdf`, 'x.pdf', '01a1946c-7be0-76f0-b316-00a35a099950.pdf']) {
      const reply = await get(test, stranger, `/v1/invoices/${path}`)
      expect(reply.statusCode).toBe(404)
      expect(reply.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    }
  })
})

describe('the mail about an invoice', () => {
  const mailsTo = async (address: string) => (await readMailbox(test.deps)).filter(({ to }) => to === address)

  it('goes to the billing address once, with the document, however many workers there are', async () => {
    const { live, id, number } = await anInvoice({ email: 'once@thistle.test' })
    await Promise.all([test, second, test, second].map(({ deps }) => mailInvoices(deps)))
    const mails = await mailsTo('once@thistle.test')
    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatchObject({ kind: 'invoice' })
    expect(mails[0]?.subject).toMatch(new RegExp(`^Invoice ${number} for June 2026: £\\d+\\.\\d\\d$`))
    const [attached] = mails[0]?.attachments ?? []
    expect(attached).toMatchObject({ fileName: `${number}.pdf`, contentType: 'application/pdf' })
    const pdf = (await pdfOf(live, id)).rawPayload
    expect(Buffer.from(attached?.base64 ?? '', 'base64').equals(pdf)).toBe(true)
  })

  it('is written for all the others when one ends the thread that draws it, and for that one later', async () => {
    const broken = await anInvoice({ email: 'broken@thistle.test' })
    const { id } = await anInvoice({ email: 'whole@thistle.test' })
    // No upload leads to such bytes: they stand for whatever nobody has thought of.
    await sql(
      test,
      `update partners set remade_logo = $2, remade_logo_type = 'image/png', remade_logo_hash = repeat('a', 64) where id = $1`,
      [broken.live.id, BROKEN_PNG],
    )
    const alarm = vi.spyOn(test.deps, 'onAlarm')
    expect(await mailInvoices(test.deps)).toBe(1)
    expect(alarm.mock.calls).toEqual([
      ['an invoice could not be mailed', expect.objectContaining({ number: broken.number, attempts: 1 })],
    ])
    expect(await mailsTo('whole@thistle.test')).toHaveLength(1)
    expect(await sql(test, 'select 1 from invoices where id = $1 and mailed_at is not null', [id])).toHaveLength(1)
    expect(await mailsTo('broken@thistle.test')).toEqual([])
    expect((await get(test, broken.live, `/v1/invoices/${broken.id}.pdf`)).statusCode).toBe(500)
    expect((await test.request({ url: '/healthz' })).statusCode).toBe(200)
    // Not again at once, then after a minute, then after two more.
    expect(await mailInvoices(test.deps)).toBe(0)
    test.clock.advance(60_000)
    expect(await mailInvoices(test.deps)).toBe(0)
    expect(alarm).toHaveBeenCalledTimes(2)
    test.clock.advance(60_000)
    expect(await mailInvoices(test.deps)).toBe(0)
    expect(alarm).toHaveBeenCalledTimes(2)
    alarm.mockRestore()
    await sql(
      test,
      'update partners set remade_logo = null, remade_logo_type = null, remade_logo_hash = null where id = $1',
      [broken.live.id],
    )
    test.clock.advance(60_000)
    expect(await mailInvoices(test.deps)).toBe(1)
    expect(await mailsTo('broken@thistle.test')).toHaveLength(1)
  })

  it('is followed by another when it becomes void', async () => {
    const told = await anInvoice({ email: 'told@thistle.test' })
    await mailInvoices(test.deps)
    await markInvoiceVoid(test.deps, told.number, 'Billed in error')
    expect((await mailsTo('told@thistle.test')).map(({ subject }) => subject).toSorted()).toEqual([
      expect.stringContaining(`Invoice ${told.number} for June 2026`),
      `Invoice ${told.number} is void: nothing is to be paid`,
    ])
  })

  it('is not written where there is nobody to write to, and not looked for again', async () => {
    const { id } = await anInvoice({ email: null })
    await mailInvoices(test.deps)
    expect(await sql(test, 'select mailed_at is not null as done from invoices where id = $1', [id])).toEqual([
      { done: true },
    ])
    expect(await mailInvoices(test.deps)).toBe(0)
  })

  /** The next drawings are done, and handed over only when `meanwhile` is done too. */
  function whileDrawing(
    meanwhile: () => Promise<unknown>,
    { drawings = 1, by = test }: { drawings?: number; by?: Pick<Instance, 'deps'> } = {},
  ): { restore: () => void; drawn: () => number } {
    const draw = by.deps.studio.invoice
    let drawn = 0
    const held = vi.spyOn(by.deps.studio, 'invoice').mockImplementation(async (...asked) => {
      const pdf = await draw(...asked)
      if (drawn++ < drawings) await meanwhile()
      return pdf
    })
    return { restore: () => held.mockRestore(), drawn: () => drawn }
  }
  const attachedWords = (mail: { attachments?: readonly { base64: string }[] } | undefined) =>
    pdfWords(Buffer.from(mail?.attachments?.[0]?.base64 ?? '', 'base64'))

  it('says that it was paid, in its document too, when that happened while it was drawn', async () => {
    const { live, id, number } = await anInvoice({ email: 'paid@thistle.test' })
    const on = new Date('2026-07-01T00:00:00Z')
    const held = whileDrawing(() => markInvoicePaid(second.deps, number, on))
    expect(await mailInvoices(test.deps)).toBe(1)
    held.restore()
    const mails = await mailsTo('paid@thistle.test')
    expect(mails).toHaveLength(1)
    expect(attachedWords(mails[0])).toContain('Paid on 1 July 2026')
    expect(mails[0]?.text).toContain('It was paid on 1 July 2026')
    expect(mails[0]?.text).not.toContain('due')
    const pdf = (await pdfOf(live, id)).rawPayload.toString('base64')
    expect(mails[0]?.attachments?.[0]?.base64).toBe(pdf)
  })

  it('is not written when it became void while it was drawn, by the worker or by the command', async () => {
    for (const mail of [
      async () => expect(await mailInvoices(test.deps)).toBe(1),
      async (number: string) => expect(await mailInvoiceNow(test.deps, number)).toMatchObject({ outcome: 'void' }),
    ]) {
      const { number } = await anInvoice({ email: 'voided@thistle.test' })
      const held = whileDrawing(() => markInvoiceVoid(second.deps, number, 'Billed in error'))
      await mail(number)
      held.restore()
      expect(await mailsTo('voided@thistle.test')).toEqual([])
    }
  })

  it('goes to the address that the business has when it is written, and to nobody when it has none', async () => {
    const moves = [
      { from: 'old@thistle.test', to: 'new@thistle.test' },
      { from: 'left@thistle.test', to: null },
      { from: null, to: 'first@thistle.test' },
    ]
    for (const { from, to } of moves) {
      const { live } = await anInvoice({ email: from })
      const held = whileDrawing(() => sql(test, 'update partners set billing_email = $2 where id = $1', [live.id, to]))
      expect(await mailInvoices(test.deps)).toBe(1)
      held.restore()
      const mails = (await Promise.all([from, to].map((address) => mailsTo(address ?? '')))).flat()
      expect(mails.map((mail) => mail.to)).toEqual(to === null ? [] : [to])
      for (const mail of mails) expect(attachedWords(mail)).toContain(to)
    }
  })

  it('is put off, and told of, when the business changes faster than it can be drawn', async () => {
    const { live, number } = await anInvoice({ email: 'restless@thistle.test' })
    let turn = 0
    const recolour = () => sql(test, 'update partners set brand_color = $2 where id = $1', [live.id, `#0f766${turn++}`])
    const alarm = vi.spyOn(test.deps, 'onAlarm')
    const held = whileDrawing(recolour, { drawings: 9 })
    expect(await mailInvoices(test.deps)).toBe(0)
    expect(held.drawn()).toBe(3)
    held.restore()
    expect(alarm.mock.calls).toEqual([
      ['an invoice could not be mailed', expect.objectContaining({ number, attempts: 1 })],
    ])
    alarm.mockRestore()
    expect(await mailsTo('restless@thistle.test')).toEqual([])
    test.clock.advance(60_000)
    expect(await mailInvoices(test.deps)).toBe(1)
    expect(await mailsTo('restless@thistle.test')).toHaveLength(1)
  })

  it('is written once when the command and two workers mail it at once while it is being paid', async () => {
    const { number } = await anInvoice({ email: 'several@thistle.test' })
    const pay = once(() => markInvoicePaid(second.deps, number, new Date('2026-07-01T00:00:00Z')))
    const held = [test, second].map((by) => whileDrawing(pay, { drawings: 9, by }))
    const outcomes = await Promise.all([
      mailInvoices(test.deps),
      mailInvoices(second.deps),
      mailInvoiceNow(test.deps, number),
      mailInvoiceNow(second.deps, number),
    ])
    for (const { restore } of held) restore()
    const said = outcomes.flatMap((outcome) => (typeof outcome === 'number' ? [] : [outcome.outcome]))
    expect(said.filter((outcome) => outcome !== 'written_before').length).toBeLessThanOrEqual(1)
    const mails = await mailsTo('several@thistle.test')
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain('It was paid on 1 July 2026')
    expect(attachedWords(mails[0])).toContain('Paid on 1 July 2026')
  })

  it('says of an invoice over nothing that nothing is to be paid, and so does its document', async () => {
    test.clock.set('2026-06-10T12:00:00Z')
    const live = await inLive(test, await aPartner(test))
    await sql(test, `update partners set billing_email = 'nothing@thistle.test' where id = $1`, [live.id])
    await setPlan(test.deps, live.slug, { from: null, changes: { monthlyAccount: pence(0n) } })
    test.clock.set('2026-08-01T06:00:00Z')
    await issueInvoices(test.deps, parseMonth('2026-07')!)
    await mailInvoices(test.deps)
    const [mail] = await mailsTo('nothing@thistle.test')
    expect(mail?.text).toContain('Nothing is to be paid; it is attached as a PDF.')
    expect(mail?.text).not.toContain('due')
    const [invoice] = (await get(test, live, '/v1/invoices')).json().data
    const words = pdfWords((await pdfOf(live, invoice.id)).rawPayload)
    expect(words).toContain('Nothing is to be paid')
    expect(words).not.toContain('Due')
  })
})
