// From the list of invoices to a single payout, the document and its files, and the wallet's statement.
import { readFile } from 'node:fs/promises'

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'

import { type TestPartner, aPartner, createPayout, get } from '../../../server/test/support/fixtures.ts'
import { pdfWords } from '../../../server/test/support/pdf-words.ts'
import { addDays, lastOfMonth, londonDay } from '../../src/format/dates.ts'
import { gbp } from '../../src/format/money.ts'
import { type BilledPartner, aBilledPartner } from './support/billed.ts'
import { goByLetter, openCommands } from './support/keyboard.ts'
import { inspect } from './support/pages.ts'
import { HOW_TO_PAY } from './support/site.ts'
import { openHouse } from './support/visitors.ts'

const MANY = 50

const house = openHouse()
let billed: BilledPartner
let fresh: TestPartner
beforeAll(async () => {
  const more = Array.from({ length: MANY }, (_, index) => ({
    name: `Seller Number${index}`,
    amount: '10.00',
    reference: `Sale ${index}`,
  }))
  billed = await aBilledPartner(house.site, more)
  fresh = await aPartner(house.site)
})

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first()
const rows = (page: Page, table: string) => page.getByRole('table', { name: table }).getByRole('row')
const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

async function downloaded(page: Page, link: string): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: link }).click()])
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
}

const backToNow = () => house.site.clock.set(new Date().toISOString())

const linesOf = (content: Buffer) => content.toString('utf8').trim().split('\r\n')

describe('an invoice', () => {
  it('leads from the list to its lines, to the payouts behind one, and to a payout', async () => {
    const { page, open } = await house.member(billed)
    await open('/invoices?environment=live')
    await expect.poll(() => rows(page, 'Invoices').count()).toBe(3)
    await page.getByText('Due in 14 days').waitFor()
    await page.getByText(/Overdue by \d+ days/).waitFor()
    await page.getByRole('link', { name: billed.newest.number! }).click()
    await heading(page, `Invoice ${billed.newest.number}`).waitFor()
    const lines = page.getByRole('table', { name: 'Lines of the invoice' })
    await lines
      .getByRole('row', { name: /^Total/ })
      .getByText(gbp(billed.newest.total_gbp))
      .waitFor()
    await page.getByRole('button', { name: 'See 53 payouts' }).first().click()
    await heading(page, /^Payouts behind/).waitFor()
    expect(searchOf(page)).toEqual({ environment: 'live', line: '1' })
    await expect.poll(() => rows(page, 'Payouts behind the line').count()).toBe(51)
    await page.getByRole('button', { name: 'Load 50 more' }).click()
    await expect.poll(() => rows(page, 'Payouts behind the line').count()).toBe(54)
    const { name, content } = await downloaded(page, 'CSV of this line')
    expect(name).toBe(`${billed.newest.number}-line-1.csv`)
    expect(linesOf(content)).toHaveLength(54)
    await page.getByRole('link', { name: /Priya Nair/ }).click()
    await heading(page, '£1,475.00 to Priya Nair').waitFor()
    expect(searchOf(page)).toEqual({ environment: 'live' })
  })

  it('can be looked at on paper, and taken along as PDF and CSV', async () => {
    const { page, open, context } = await house.member(billed, { inWhole: true })
    await open(`/invoices/${billed.newest.id}?environment=live`)
    const answer = page.waitForResponse((response) => response.url().includes(`${billed.newest.id}.pdf`))
    await page.getByRole('button', { name: 'Preview' }).click()
    expect((await answer).status()).toBe(200)
    await page.getByTitle(`Invoice ${billed.newest.number} as a document`).waitFor()
    // The browser's reader has taken the document, so neither policy stood in its way.
    await expect.poll(() => page.frames().some((frame) => frame.url().startsWith('chrome-extension:'))).toBe(true)
    const pdf = await context.request.get(`/v1/invoices/${billed.newest.id}.pdf`)
    expect(pdf.headers()['content-type']).toBe('application/pdf')
    expect((await pdf.body()).subarray(0, 5).toString()).toBe('%PDF-')
    const paper = await downloaded(page, 'Download PDF')
    expect(paper.name).toBe(`${billed.newest.number}.pdf`)
    expect(paper.content.equals(await pdf.body())).toBe(true)
    const table = await downloaded(page, 'Download CSV')
    expect(table.name).toBe(`${billed.newest.number}.csv`)
    expect(linesOf(table.content)).toHaveLength(1 + billed.newest.lines.length)
  })

  it('that is late says so, here and on the overview', async () => {
    const { page, open } = await house.member(billed)
    await open('/?environment=live')
    await page.getByText(/^Your invoice for .* is overdue$/).waitFor()
    await page.getByText(/^Your invoice for .* is here$/).waitFor()
    await page.getByText(`Pay to: ${HOW_TO_PAY} Quote ${billed.overdue.number}.`).waitFor()
    await page.getByRole('link', { name: `See ${billed.overdue.number}` }).click()
    await page.getByText(`Quote ${billed.overdue.number} when you pay.`).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/dashboard/invoices/${billed.overdue.id}`)
    await heading(page, 'How to pay').waitFor()
    await page.getByText(HOW_TO_PAY, { exact: true }).waitFor()
    await page.getByText(/^£[\d.]+, due since \d+ [A-Z][a-z]+ \d{4}, with KP-[\d-]+ as the reference\.$/).waitFor()
  })

  it('is found from the fees of its month, and leads to the statement of it', async () => {
    const { page, open } = await house.member(billed)
    await open(`/fees?environment=live&month=${billed.newest.period}`)
    for (const price of ['£0.99 + 1.00%', '£39.00, once', 'Cost + 10.00%, about £0.022 a payout']) {
      await page.getByText(price, { exact: true }).waitFor()
    }
    expect(await page.getByText(/\d GBP/).count()).toBe(0)
    await page.getByRole('row', { name: /^Monthly account 1 £15\.00 £15\.00$/ }).waitFor()
    await page.getByRole('link', { name: billed.newest.number! }).click()
    await page.getByRole('link', { name: 'See every movement' }).click()
    await heading(page, 'Statement').waitFor()
    const { period } = billed.newest
    expect(searchOf(page)).toEqual({ environment: 'live', from: `${period}-01`, to: lastOfMonth(period) })
  })

  it('is none of the sandbox’s', async () => {
    const { page, open } = await house.member(billed)
    await open(`/invoices/${billed.newest.id}`)
    await page.getByText('Invoices are issued in live').waitFor()
    expect(await page.getByRole('table').count()).toBe(0)
    await page.getByRole('link', { name: 'See it in live' }).click()
    await heading(page, `Invoice ${billed.newest.number}`).waitFor()
  })
})

describe('the sandbox', () => {
  it('shows what its month would cost in live, as a rehearsal, with the payouts behind it', async () => {
    const partner = await aPartner(house.site)
    const { page, open } = await house.member(partner)
    await open('/invoices')
    const lines = page.getByRole('table', { name: 'Lines of the invoice' })
    await lines.getByRole('row', { name: /^Total £54\.00$/ }).waitFor()
    await page.getByText('Rehearsal, not a bill').waitFor()
    // One that completes while the page is open is on it by itself.
    expect((await createPayout(house.site, partner, { amount_gbp: '25.00' })).statusCode).toBe(201)
    await lines.getByRole('link', { name: 'See 1 payout' }).first().waitFor()
    const { total_gbp, period } = (await get(house.site, partner, '/v1/sandbox/invoice')).json()
    expect(total_gbp).toBe('54.93')
    await lines.getByRole('row', { name: /^Total £54\.93$/ }).waitFor()
    await inspect(page, 'light/rehearsal')
    const { name, content } = await downloaded(page, 'Download PDF')
    expect(name).toBe(`rehearsal-${period}.pdf`)
    expect(pdfWords(content)).toContain('Rehearsal, not a bill')
    await lines.getByRole('link', { name: 'See 1 payout' }).first().click()
    await page.getByRole('link', { name: /Zephyrine Quillfeather/ }).waitFor()
  })

  it('rehearses an earlier month, found from its fees', async () => {
    const before = addDays(`${londonDay(new Date()).slice(0, 7)}-01`, -1).slice(0, 7)
    house.site.clock.set(`${before}-12T10:00:00Z`)
    const { page, open } = await house.member(await aPartner(house.site).finally(backToNow))
    await open(`/fees?month=${before}`)
    await page.getByRole('link', { name: 'What it would be in live' }).click()
    await page.getByText('It would come to').waitFor()
    expect(searchOf(page)).toEqual({ month: before })
    expect(await page.getByRole('combobox', { name: 'Month' }).inputValue()).toBe(before)
    expect(await page.getByRole('combobox', { name: 'Month' }).getByRole('option').count()).toBe(2)
    await page.getByRole('combobox', { name: 'Month' }).selectOption({ index: 0 })
    await page.getByText('as it would close now').waitFor()
    expect(searchOf(page)).toEqual({})
    expect(await page.getByRole('link', { name: 'See your invoices in live' }).count()).toBe(0)
  })

  it('leads to the invoices of live where there are any', async () => {
    const { page, open } = await house.member(billed)
    await open(`/invoices?month=${billed.newest.period}`)
    await page.getByRole('link', { name: 'See your invoices in live' }).click()
    await page.getByRole('link', { name: billed.newest.number! }).waitFor()
    expect(searchOf(page)).toEqual({ environment: 'live' })
  })

  it('says so of a month that has not begun', async () => {
    const { page, open } = await house.member(fresh, { expects: [422] })
    await open('/invoices?month=2099-12')
    await page.getByText('There are no figures for 2099-12 yet').waitFor()
    expect(await page.getByRole('combobox', { name: 'Month' }).inputValue()).toBe('2099-12')
  })

  it('begins with the business, offers no month before, and says so of one in the address', async () => {
    const { page, open } = await house.member(fresh, { expects: [422] })
    await open('/invoices')
    await page.getByText('as it would close now').waitFor()
    const months = page.getByRole('combobox', { name: 'Month' }).getByRole('option')
    expect(await months.count()).toBe(1)
    await open('/fees?month=2020-01')
    await heading(page, 'January 2020').waitFor()
    expect(await page.getByRole('link', { name: 'What it would be in live' }).count()).toBe(0)
    await open('/invoices?month=2020-01')
    await page.getByText('There is nothing to rehearse for 2020-01').waitFor()
  })
})

describe('the statement', () => {
  it('is of the days in its address, month by month, and exports the same', async () => {
    const { page, open } = await house.member(billed)
    await open('/statement?environment=live')
    await page.getByRole('link', { name: 'Callum Reid' }).waitFor()
    await page.getByRole('button', { name: 'Last month' }).click()
    const { period } = billed.newest
    await expect.poll(() => searchOf(page)['from']).toBe(`${period}-01`)
    await expect.poll(() => rows(page, 'Movements of the wallet').count()).toBe(51)
    await page.getByRole('button', { name: 'Load 50 more' }).click()
    await expect.poll(() => rows(page, 'Movements of the wallet').count()).toBe(54)
    const { name, content } = await downloaded(page, 'Export CSV')
    expect(name).toBe(`statement-live-${period}-01_${lastOfMonth(period)}.csv`)
    // As many as on the page, between what there was and what there is.
    const lines = linesOf(content)
    expect(lines).toHaveLength(56)
    expect([lines[1], lines.at(-1)]).toEqual([
      expect.stringContaining('opening_balance'),
      expect.stringContaining('closing_balance'),
    ])
    await page.getByLabel('To', { exact: true }).fill(`${period}-05`)
    await page.getByText('No movements on these days').waitFor()
    expect(searchOf(page)).toMatchObject({ from: `${period}-01`, to: `${period}-05` })
    await page.reload()
    await page.getByText('No movements on these days').waitFor()
    await page.getByLabel('From', { exact: true }).fill(`${period}-09`)
    await page.getByText('These dates are not a period').waitFor()
    expect(await page.getByRole('link', { name: 'Export CSV' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Show this month' }).click()
    await page.getByRole('link', { name: 'Callum Reid' }).click()
    await heading(page, '£64.20 to Callum Reid').waitFor()
  })

  it('is reached from the navigation, by keyboard and through the command menu', async () => {
    const { page, open } = await house.member(fresh)
    await open('/')
    await heading(page, 'Overview').waitFor()
    await page.getByRole('link', { name: 'Statement' }).click()
    await heading(page, 'Statement').waitFor()
    await expect.poll(() => page.title()).toBe('Statement · Sandbox · Thistle Market')
    await goByLetter(page, 'i', 'Invoices')
    await goByLetter(page, 'm', 'Statement')
    await goByLetter(page, 'i', 'Invoices')
    await openCommands(page)
    await page.keyboard.type('statement')
    await page.getByRole('option', { name: 'Statement' }).waitFor()
    await page.keyboard.press('Enter')
    await heading(page, 'Statement').waitFor()
  })
})

describe('a viewer', () => {
  it('reads all of it', async () => {
    const { page, open } = await house.member(billed, { role: 'viewer' })
    await open('/invoices?environment=live')
    await page.getByRole('link', { name: billed.newest.number! }).click()
    await page.getByRole('button', { name: 'See 53 payouts' }).first().click()
    await page
      .getByRole('link', { name: /Priya Nair/ })
      .or(page.getByRole('link', { name: /Amara Okafor/ }))
      .first()
      .waitFor()
    expect((await downloaded(page, 'Download PDF')).content.subarray(0, 5).toString()).toBe('%PDF-')
    await open('/statement?environment=live')
    const { name } = await downloaded(page, 'Export CSV')
    const today = londonDay(new Date())
    expect(name).toBe(`statement-live-${today.slice(0, 7)}-01_${today}.csv`)
  })
})
