// What an invoice looks like on paper, by where its words stand.
import { expect, it } from 'vitest'

import { UNNAMED_OPERATOR } from '../../src/core/operator.ts'
import type { InvoiceFacts } from '../../src/documents/invoice-facts.ts'
import { invoicePdf } from '../../src/documents/invoice-pdf.ts'
import { pdfPlaces } from '../support/pdf-words.ts'

const FACTS: InvoiceFacts = {
  number: 'KP-2026-0001',
  status: 'issued',
  month: 'June 2026',
  issuedAt: new Date('2026-07-01T06:00:00Z'),
  issued: '1 July 2026',
  due: '15 July 2026',
  paid: null,
  operator: { ...UNNAMED_OPERATOR, paymentDetails: 'Kestrel Payouts Ltd, sort code 04-00-75, account 87654321.' },
  partner: { name: 'Thistle Market', address: [], email: null, vatNumber: null, logo: null, color: null },
  lines: [
    { description: 'Monthly account', quantity: '1', unitPrice: '39.00', amount: '39.00' },
    { description: 'Payout fees (the part billed monthly)', quantity: '1,204', unitPrice: '', amount: '1,685.60' },
  ],
  total: '£1,724.60',
  wallet: [['At the end', '1,000.00']],
}

it('says how to pay in a frame of its own, and whether there is VAT', async () => {
  const { said, frames } = pdfPlaces(await invoicePdf(FACTS))
  const at = (words: string) => said.find((each) => each.words.includes(words))!
  expect(frames).toHaveLength(1)
  const [{ top, bottom } = { top: 0, bottom: 0 }] = frames
  for (const words of [
    'How to pay',
    'Please pay £1,724.60 by 15 July 2026, quoting KP-2026-0001.',
    'sort code 04-00-75',
  ]) {
    expect(at(words).y).toBeGreaterThan(top)
    expect(at(words).y).toBeLessThan(bottom)
  }
  for (const words of ['Total', 'VAT: none is charged', 'Your wallet in June 2026']) {
    expect(at(words).y < top || at(words).y > bottom).toBe(true)
  }
  expect(pdfPlaces(await invoicePdf({ ...FACTS, status: 'paid', paid: '5 July 2026' })).frames).toEqual([])
})

it('asks for no payment when it comes to nothing', async () => {
  const { said, frames } = pdfPlaces(await invoicePdf({ ...FACTS, due: null, total: '£0.00' }))
  expect(frames).toEqual([])
  const words = said.map((each) => each.words).join(' ')
  expect(words).toContain('Nothing is to be paid')
  expect(words).not.toMatch(/How to pay|Please pay|Due/)
})

it('has its prices in pounds, pence under pence', async () => {
  const { said } = pdfPlaces(await invoicePdf(FACTS))
  const words = said.map((each) => each.words)
  expect(words).toEqual(expect.arrayContaining(['Each (£)', 'Amount (£)']))
  expect(words.filter((each) => each.includes('GBP'))).toEqual([])
  const ends = ['39.00', '1,685.60'].map((amount) => said.findLast((each) => each.words === amount)!)
  // The shorter figure begins further right, so that both end at the edge of the column.
  expect(ends[0]!.x).toBeGreaterThan(ends[1]!.x)
  expect(Math.max(...said.map(({ x }) => x))).toBeLessThan(550)
})

it('breaks a name that is too long for its place into lines, and clips none of it', async () => {
  const name = `The ${'Very '.repeat(30)}Long Trading Company of Leeds`
  const { said } = pdfPlaces(await invoicePdf({ ...FACTS, partner: { ...FACTS.partner, name } }))
  const lines = said.filter(({ words }) => /Very|Leeds/.test(words))
  expect(lines.length).toBeGreaterThan(1)
  expect(lines.map(({ words }) => words.trim()).join(' ')).toContain(name)
  expect(new Set(lines.map(({ y }) => y)).size).toBe(lines.length)
})
