import { expect, it } from 'vitest'

import { receiptPdf } from '../../src/documents/receipt-pdf.ts'
import { pdfWords } from '../support/pdf-words.ts'

it('a receipt of the longest words goes on on a second page, and says how to check it whole', async () => {
  const name = `${'W'.repeat(80)} ${'Featherstonehaugh '.repeat(5).slice(0, 80)}`
  const business = 'A business with a long name '.repeat(4)
  const checkedAt = `https://payouts.a-rather-long-host.example/behind/a/path/receipts/${'A'.repeat(158)}`
  const pdf = await receiptPdf({
    payoutId: '01a1e888-6b70-7fc1-a328-94de0dccd0eb',
    isSandbox: true,
    operatorName: 'Kestrel Payouts',
    partner: { name: business, logo: null, color: null },
    headline: `£1,000,000.00 to ${name}`,
    outcome: `Came back on 17 November 2026, 08:03:43. ${'The bank says that the account is closed. '.repeat(4)}`,
    createdAt: new Date('2026-11-17T08:03:43Z'),
    about: [
      ['From', business],
      ['To', `${name}, account ending 5432`],
      ['Amount', '£1,000,000.00'],
      ['Sent by', 'Faster Payments'],
      ['Reference', 'Invoice 1042 '.repeat(10).slice(0, 120)],
      ['Created', '17 November 2026, 08:03:36'],
      ['Completed', '17 November 2026, 08:03:43'],
      ['Payout id', '01a1e888-6b70-7fc1-a328-94de0dccd0eb'],
    ],
    costs: Array.from({ length: 5 }, (_, place) => [`Cost ${place}`, '£1.00'] as const),
    checkedAt,
  })
  expect(pdf.toString('latin1')).toMatch(/\/Count 2\b/)
  const words = pdfWords(pdf).replaceAll('\n', '')
  for (const said of ['Check this receipt', checkedAt, 'Made by Kestrel Payouts', 'Cost 4'])
    expect(words).toContain(said)
})
