// An invoice on one page.
import type { InvoiceFacts } from './invoice-facts.ts'
import { LEFT, type Look, QUIET, RIGHT, type Sheet, openSheet } from './sheet.ts'

const NOT_A_BILL = 'Rehearsal, not a bill'

export async function invoicePdf(facts: InvoiceFacts): Promise<Buffer> {
  const sheet = await openSheet({
    title: facts.status === 'rehearsal' ? NOT_A_BILL : `Invoice ${facts.number}`,
    author: facts.operator.name,
    subject: `${facts.partner.name}, ${facts.month}`,
    createdAt: facts.issuedAt,
  })
  let y = putHead(sheet, facts)
  y = putParties(sheet, facts, y + 28)
  y = putLines(sheet, facts, y + 26)
  y = putHowToPay(sheet, facts, y + 24)
  y = putWallet(sheet, facts, y + 30)
  putFoot(sheet, facts, y + 30)
  return sheet.end()
}

const VOID = 'Void: nothing is to be paid'
const REHEARSED = 'Test money: nothing is charged and nothing is to be paid'

function putHead({ band, logo, put }: Sheet, facts: InvoiceFacts): number {
  const { number, status, operator, partner } = facts
  band(partner.color)
  const hasLogo = partner.logo !== null && logo(partner.logo)
  const y = put('H1', status === 'rehearsal' ? NOT_A_BILL : 'Invoice', {
    x: LEFT,
    y: 50,
    size: 24,
    bold: true,
    width: 300,
  })
  const under = put('P', number, { x: LEFT, y: y + 2, size: 13, color: QUIET, width: 300 })
  const word = { issued: null, paid: `Paid on ${facts.paid}`, void: VOID, rehearsal: REHEARSED }[status]
  const last = word === null ? under : put('P', word, { x: LEFT, y: under + 6, bold: true, size: 11, width: 300 })
  // Under the partner's own logo the operator's name would read as if it were one.
  if (!hasLogo) put('P', operator.name, { x: 345, y: 54, bold: true, size: 11, width: 200, align: 'right' })
  return Math.max(last, 94)
}

const dateRows = ({ status, issued, due }: InvoiceFacts): string[] =>
  status === 'rehearsal'
    ? ['Never issued', 'Never due']
    : [`Issued ${issued}`, due === null ? 'Nothing is to be paid' : `Due ${due}`]

const vatRow = (number: string | null) => (number === null ? '' : `VAT number ${number}`)

function putParties({ put }: Sheet, facts: InvoiceFacts, top: number): number {
  const { operator, partner } = facts
  const columns: readonly { x: number; width: number; title: string; rows: readonly string[] }[] = [
    {
      x: LEFT,
      width: 160,
      title: facts.status === 'rehearsal' ? 'Would be billed to' : 'Billed to',
      rows: [partner.name, ...partner.address, partner.email ?? '', vatRow(partner.vatNumber)],
    },
    {
      x: 220,
      width: 165,
      title: 'From',
      rows: [operator.name, ...operator.address, operator.email ?? '', vatRow(operator.vatNumber)],
    },
    {
      x: 400,
      width: 145,
      title: 'Dates',
      rows: [`For ${facts.month}`, ...dateRows(facts)],
    },
  ]
  const ends = columns.map(({ x, width, title, rows }) => {
    let y = put('H2', title, { x, y: top, size: 9, color: QUIET, width }) + 4
    for (const row of rows.filter((words) => words !== '')) y = put('P', row, { x, y, width }) + 2
    return y
  })
  return Math.max(...ends)
}

const COLUMNS = [
  { title: 'Description', x: LEFT, width: 285, align: 'left' },
  { title: 'Quantity', x: 340, width: 60, align: 'right' },
  { title: 'Each (£)', x: 405, width: 60, align: 'right' },
  { title: 'Amount (£)', x: 470, width: 75, align: 'right' },
] as const

function putLines({ put, rule, table }: Sheet, facts: InvoiceFacts, top: number): number {
  return table((row) => {
    const line = (tag: 'TH' | 'TD', cells: readonly string[], y: number, look: Look): number =>
      row((within) =>
        Math.max(
          ...COLUMNS.map(({ x, width, align }, index) =>
            put(tag, cells[index] ?? '', { x, y, width, align, within, ...look }),
          ),
        ),
      )
    const titles = COLUMNS.map(({ title }) => title)
    let y = line('TH', titles, top, { size: 9, color: QUIET }) + 6
    rule(y)
    for (const { description, quantity, unitPrice, amount } of facts.lines) {
      y = line('TD', [description, quantity, unitPrice, amount], y + 8, {}) + 8
      rule(y)
    }
    y = line('TD', [vatWords(facts), '', '', '0.00'], y + 8, { color: QUIET }) + 8
    const sum = facts.status === 'rehearsal' ? 'Total, if it were live' : 'Total'
    return line('TD', [sum, '', '', facts.total], y + 2, { bold: true, size: 13 })
  })
}

/** The lines are the whole price: no VAT is added to them. */
const vatWords = ({ operator }: InvoiceFacts) =>
  operator.vatNumber === null ? 'VAT: none is charged, as the biller has no VAT number' : 'VAT: none is charged'

function putHowToPay({ put, box }: Sheet, facts: InvoiceFacts, top: number): number {
  const { paymentDetails } = facts.operator
  if (facts.status !== 'issued' || facts.due === null || paymentDetails === null) return top
  let y = put('H2', 'How to pay', { x: LEFT, y: top + 12, size: 12, bold: true }) + 4
  y = put('P', `Please pay ${facts.total} by ${facts.due}, quoting ${facts.number}.`, { x: LEFT, y }) + 4
  y = put('P', paymentDetails, { x: LEFT, y, bold: true })
  box(top, y + 12)
  return y + 12
}

function putWallet({ put, table }: Sheet, facts: InvoiceFacts, top: number): number {
  let y =
    put('H2', `Your ${facts.status === 'rehearsal' ? 'sandbox ' : ''}wallet in ${facts.month} (USDC)`, {
      x: LEFT,
      y: top,
      size: 12,
      bold: true,
    }) + 8
  return table((row) => {
    for (const [name, usdc] of facts.wallet) {
      y = row((within) => {
        put('TH', name, { x: LEFT, y, width: 200, within, color: QUIET })
        return put('TD', usdc, { x: 250, y, width: 120, align: 'right', within }) + 5
      })
    }
    return y
  })
}

function putFoot({ put }: Sheet, facts: InvoiceFacts, top: number): void {
  const { note } = facts.operator
  const rows = [
    ...(note === null ? [] : [note]),
    ...(facts.status === 'rehearsal'
      ? [`${NOT_A_BILL}. ${REHEARSED}. Network costs are those of the price list.`]
      : []),
    'The payouts behind each line are in the dashboard and in the API. Months are those of Europe/London.',
  ]
  let y = top
  for (const words of rows) {
    y = put('P', words, { x: LEFT, y, size: 9, color: QUIET, width: RIGHT - LEFT }) + 5
  }
}
