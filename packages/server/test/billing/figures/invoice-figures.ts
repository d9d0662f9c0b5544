// An invoice, its lines as a table, the month's usage, and the payouts behind each line, as a list and as a table.
import type { Invoice, InvoicedPayoutList, Payout, Usage } from '@kestrel/contract'

import type { TestPartner } from '../../support/fixtures.ts'
import { microPenceIn, nearestPenny, penceIn, sumOf } from './amounts.ts'
import { type Look, read, readPages, readTable } from './look.ts'

type Line = Invoice['lines'][number]

const ABOUT_PAYOUTS = new Set(['payout_fees', 'network_fees', 'bank_exceptions'])
/** Small, so that the payouts behind a line are more than a page. */
const PAGE = 3

export async function compareInvoices(look: Look, live: TestPartner): Promise<void> {
  const { data: invoices } = await read<{ data: Invoice[] }>(look.test, live, '/v1/invoices')
  for (const invoice of invoices) {
    await compareLines(look, live, invoice)
    for (const line of invoice.lines) {
      comparePrice(look, invoice, line)
      if (ABOUT_PAYOUTS.has(line.kind)) await comparePayouts(look, live, { invoice, line })
    }
  }
}

async function compareLines({ test, differences }: Look, live: TestPartner, invoice: Invoice): Promise<void> {
  const where = `invoice of ${invoice.period}`
  differences.compare(where, {
    'its total in pence': penceIn(invoice.total_gbp),
    'the sum of its lines': sumOf(invoice.lines, (line) => penceIn(line.amount_gbp)),
  })
  const table = await readTable(test, live, `/v1/invoices/${invoice.id}/lines.csv`)
  differences.compare(where, {
    'lines.csv has': table.map((row) => ({
      kind: row['Kind'],
      quantity: row['Quantity'],
      price: row['Unit price (GBP)'],
      amount: row['Amount (GBP)'],
    })),
    'its lines are': invoice.lines.map((line) => ({
      kind: line.kind,
      quantity: String(line.quantity),
      price: line.unit_price_exact_gbp ?? '',
      amount: line.amount_gbp,
    })),
  })
  const { invoice_so_far: usage } = await read<Usage>(test, live, `/v1/usage?month=${invoice.period}`)
  const charged = ({ kind, quantity, unit_price_exact_gbp, amount_gbp }: Usage['invoice_so_far']['lines'][number]) => ({
    kind,
    quantity,
    unit_price_exact_gbp,
    amount_gbp,
  })
  differences.compare(where, {
    'usage has the lines': usage.lines.map(charged),
    'the invoice those': invoice.lines.map(charged),
  })
  differences.compare(where, { 'usage’s total': usage.total_gbp, 'the invoice’s': invoice.total_gbp })
}

/** Where all cost the same, the line is its price so many times. */
function comparePrice({ differences }: Look, { period }: Invoice, line: Line): void {
  if (line.unit_price_exact_gbp === null) return
  differences.compare(`invoice of ${period}, ${line.kind}`, {
    'price times quantity is, in pence,': nearestPenny(microPenceIn(line.unit_price_exact_gbp) * BigInt(line.quantity)),
    'the line': penceIn(line.amount_gbp),
  })
}

async function comparePayouts(
  { test, differences }: Look,
  live: TestPartner,
  { invoice, line }: { invoice: Invoice; line: Line },
): Promise<void> {
  const where = `invoice of ${invoice.period}, ${line.kind}`
  const address = `/v1/invoices/${invoice.id}/lines/${line.line}/payouts`
  const pages = await readPages<InvoicedPayoutList>(test, live, `${address}?limit=${PAGE}`)
  const listed = pages.flatMap(({ data }) => data)
  const sum = sumOf(listed, (each) => microPenceIn(each.charged_exact_gbp))
  differences.compare(where, {
    'the payouts behind it come to': { quantity: listed.length, pence: nearestPenny(sum) },
    'the line to': { quantity: line.quantity, pence: penceIn(line.amount_gbp) },
  })
  const table = await readTable(test, live, `${address}.csv`)
  differences.compare(where, {
    'payouts.csv has': table.map((row) => row['Payout']),
    'its list': listed.map(({ payout }) => payout.id),
  })
  differences.compare(where, {
    'payouts.csv charges, in millionths of a penny,': sumOf(table, (row) => microPenceIn(row['Charged (GBP)']!)),
    'its list': sum,
  })
  if (line.kind !== 'payout_fees') return
  differences.compare(where, {
    'payouts.csv has fees, less those taken in the transfer, of': sumOf(
      table,
      (row) => penceIn(row['Fee (GBP)']!) - penceIn(row['Fee taken in the transfer (GBP)']!),
    ),
    'the line is': penceIn(line.amount_gbp),
  })
  for (const { payout } of listed) {
    const alone = await read<Payout>(test, live, `/v1/payouts/${payout.id}`)
    differences.compare(`payout ${payout.id}`, {
      'its fee behind the invoice': payout.fee_gbp,
      'its fee alone': alone.fee_gbp,
    })
  }
}
