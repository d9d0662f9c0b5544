// An invoice on one page of A4, tagged so that it can be read aloud in order. The same facts give the same bytes.
import type { Font } from 'fontkit'
import type Pdf from 'pdfkit'

import type { InvoiceFacts } from './invoice-facts.ts'
import { type Typeface, readTypeface } from './typeface.ts'
import { writable } from './writable.ts'

type Doc = InstanceType<typeof Pdf>
type Tag = 'H1' | 'H2' | 'P' | 'TH' | 'TD'

const LEFT = 50
const RIGHT = 545
const WIDTH = RIGHT - LEFT
const INK = '#1a1b1e'
const QUIET = '#5c5a55'
const RULE = '#d9d6cf'
const DEFAULT_COLOR = '#2b4bd8'
const REGULAR = 'regular'
const BOLD = 'bold'
const FIGURES: PDFKit.Mixins.OpenTypeFeatures[] = ['tnum']

interface Look {
  readonly size?: number
  readonly bold?: boolean
  readonly color?: string
  readonly width?: number
  readonly align?: 'left' | 'right'
}

/** Puts text at a place, as a part of the document's structure; says how far down it reaches. */
type Put = (
  tag: Tag,
  words: string,
  place: { x: number; y: number; within?: PDFKit.PDFStructureElement } & Look,
) => number

export async function invoicePdf(facts: InvoiceFacts): Promise<Buffer> {
  // Only when there is something to draw: it takes longer to load than all else that a command needs.
  const [{ default: PdfDocument }, typeface] = await Promise.all([import('pdfkit'), readTypeface()])
  const doc = new PdfDocument({
    size: 'A4',
    margins: { top: 50, bottom: 40, left: LEFT, right: 595 - RIGHT },
    pdfVersion: '1.7',
    tagged: true,
    // Without it every document would name a font of the reader's as well.
    font: '',
    lang: 'en-GB',
    displayTitle: true,
    info: {
      Title: `Invoice ${facts.number}`,
      Author: facts.operator.name,
      Subject: `${facts.partner.name}, ${facts.month}`,
      CreationDate: facts.issuedAt,
    },
  })
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('end', () => resolve()).on('error', reject)
  })
  const page = doc.struct('Document')
  doc.addStructure(page)
  const put = putOn(doc, page, typeface)
  let y = putHead(doc, put, facts)
  y = putParties(put, facts, y + 28)
  y = putLines(doc, page, put, { facts, y: y + 26 })
  y = putWallet(doc, page, put, { facts, y: y + 34 })
  putFoot(put, facts, y + 30)
  page.end()
  doc.end()
  await ended
  return Buffer.concat(chunks)
}

function putOn(doc: Doc, page: PDFKit.PDFStructureElement, typeface: Typeface): Put {
  // It takes a font that was read before; its types do not know that yet.
  const source = (font: Font) => font as unknown as PDFKit.Mixins.PDFFontSource
  doc.registerFont(REGULAR, source(typeface.regular)).registerFont(BOLD, source(typeface.bold))
  return (tag, words, { x, y, within = page, size = 10, bold = false, color = INK, width, align = 'left' }) => {
    const font = bold ? typeface.bold : typeface.regular
    const text = writable(font, words)
    // Figures of one width, so that pence stand under pence.
    const options = { width: width ?? RIGHT - x, align, features: FIGURES }
    doc.font(bold ? BOLD : REGULAR).fontSize(size)
    const height = doc.heightOfString(text, options)
    const element = doc.struct(tag, {}, () => {
      doc
        .font(bold ? BOLD : REGULAR)
        .fontSize(size)
        .fillColor(color)
        .text(text, x, y, options)
    })
    within.add(element)
    return y + height
  }
}

function rule(doc: Doc, y: number, color = RULE): void {
  doc.markContent('Artifact', { type: 'Layout' })
  doc.moveTo(LEFT, y).lineTo(RIGHT, y).lineWidth(0.7).strokeColor(color).stroke()
  doc.endMarkedContent()
}

function putHead(doc: Doc, put: Put, facts: InvoiceFacts): number {
  const { number, status, operator, partner } = facts
  doc.markContent('Artifact', { type: 'Layout' })
  doc.rect(0, 0, 595, 8).fill(partner.color ?? DEFAULT_COLOR)
  doc.endMarkedContent()
  const hasLogo = partner.logo !== null && putLogo(doc, partner.logo)
  const y = put('H1', 'Invoice', { x: LEFT, y: 50, size: 24, bold: true, width: 300 })
  const under = put('P', number, { x: LEFT, y: y + 2, size: 13, color: QUIET, width: 300 })
  const word = { issued: null, paid: `Paid on ${facts.paid}`, void: 'Void: nothing is to be paid' }[status]
  const last = word === null ? under : put('P', word, { x: LEFT, y: under + 6, bold: true, size: 11, width: 300 })
  // Under the partner's own logo the operator's name would read as if it were one.
  if (!hasLogo) put('P', operator.name, { x: 345, y: 54, bold: true, size: 11, width: 200, align: 'right' })
  return Math.max(last, 94)
}

/** False when the picture is not one that a PDF can hold. */
function putLogo(doc: Doc, logo: Buffer): boolean {
  try {
    doc.markContent('Artifact', { type: 'Layout' })
    doc.image(logo, RIGHT - 150, 50, { fit: [150, 44], align: 'right', valign: 'center' })
    return true
  } catch {
    return false
  } finally {
    doc.endMarkedContent()
  }
}

function putParties(put: Put, facts: InvoiceFacts, top: number): number {
  const { operator, partner } = facts
  const columns: readonly { x: number; width: number; title: string; rows: readonly string[] }[] = [
    {
      x: LEFT,
      width: 160,
      title: 'Billed to',
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
      rows: [`For ${facts.month}`, `Issued ${facts.issued}`, `Due ${facts.due}`],
    },
  ]
  const ends = columns.map(({ x, width, title, rows }) => {
    let y = put('H2', title, { x, y: top, size: 9, color: QUIET, width }) + 4
    for (const row of rows.filter((words) => words !== '')) y = put('P', row, { x, y, width }) + 2
    return y
  })
  return Math.max(...ends)
}

const vatRow = (number: string | null) => (number === null ? '' : `VAT number ${number}`)

const COLUMNS = [
  { title: 'Description', x: LEFT, width: 285, align: 'left' },
  { title: 'Quantity', x: 340, width: 60, align: 'right' },
  { title: 'Each (£)', x: 405, width: 60, align: 'right' },
  { title: 'Amount (£)', x: 470, width: 75, align: 'right' },
] as const

function putLines(
  doc: Doc,
  page: PDFKit.PDFStructureElement,
  put: Put,
  { facts, y: top }: { facts: InvoiceFacts; y: number },
): number {
  const table = doc.struct('Table')
  page.add(table)
  const row = (tag: 'TH' | 'TD', cells: readonly string[], y: number, look: Look): number => {
    const within = doc.struct('TR')
    table.add(within)
    const ends = COLUMNS.map(({ x, width, align }, index) =>
      put(tag, cells[index] ?? '', { x, y, width, align, within, ...look }),
    )
    within.end()
    return Math.max(...ends)
  }
  const titles = COLUMNS.map(({ title }) => title)
  let y = row('TH', titles, top, { size: 9, color: QUIET }) + 6
  rule(doc, y)
  for (const { description, quantity, unitPrice, amount } of facts.lines) {
    y = row('TD', [description, quantity, unitPrice, amount], y + 8, {}) + 8
    rule(doc, y)
  }
  y = row('TD', ['Total', '', '', facts.total], y + 10, { bold: true, size: 13 })
  table.end()
  return y
}

function putWallet(
  doc: Doc,
  page: PDFKit.PDFStructureElement,
  put: Put,
  { facts, y: top }: { facts: InvoiceFacts; y: number },
): number {
  let y = put('H2', `Your wallet in ${facts.month} (USDC)`, { x: LEFT, y: top, size: 12, bold: true }) + 8
  const table = doc.struct('Table')
  page.add(table)
  for (const [name, usdc] of facts.wallet) {
    const within = doc.struct('TR')
    table.add(within)
    put('TH', name, { x: LEFT, y, width: 200, within, color: QUIET })
    y = put('TD', usdc, { x: 250, y, width: 120, align: 'right', within }) + 5
    within.end()
  }
  table.end()
  return y
}

function putFoot(put: Put, facts: InvoiceFacts, top: number): void {
  const { paymentDetails, note } = facts.operator
  const rows = [
    ...(facts.status === 'issued' && paymentDetails !== null
      ? [`Please pay by ${facts.due}, quoting ${facts.number}. ${paymentDetails}`]
      : []),
    ...(note === null ? [] : [note]),
    'The payouts behind each line are in the dashboard and in the API. Months are those of Europe/London.',
  ]
  let y = top
  for (const words of rows) y = put('P', words, { x: LEFT, y, size: 9, color: QUIET, width: WIDTH }) + 5
}
