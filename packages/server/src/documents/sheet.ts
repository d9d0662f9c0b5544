// An A4 page in our typeface, tagged so that it can be read aloud in order. The same facts give the same bytes.
import type { Font } from 'fontkit'
import type Pdf from 'pdfkit'
import { encode } from 'uqr'

import { escapeMetadata } from './metadata.ts'
import { type Typeface, readTypeface } from './typeface.ts'
import { writable } from './writable.ts'

type Doc = InstanceType<typeof Pdf>
type Structure = PDFKit.PDFStructureElement
type Tag = 'H1' | 'H2' | 'P' | 'TH' | 'TD'

export const LEFT = 50
export const RIGHT = 545
export const INK = '#1a1b1e'
export const QUIET = '#5c5a55'
const TOP = 50
const BOTTOM = 802
const RULE = '#d9d6cf'
const DEFAULT_COLOR = '#2b4bd8'
const REGULAR = 'regular'
const BOLD = 'bold'
const FIGURES: PDFKit.Mixins.OpenTypeFeatures[] = ['tnum']

export interface Look {
  readonly size?: number
  readonly bold?: boolean
  readonly color?: string
  readonly width?: number
  readonly align?: 'left' | 'right'
  /** Where a click on it leads. */
  readonly link?: string
}

/** Puts text at a place, as part of the document's structure. Returns how far down it reaches. */
type Put = (tag: Tag, words: string, place: { x: number; y: number; within?: Structure } & Look) => number

export interface Sheet {
  readonly put: Put
  readonly rule: (y: number) => void
  /** A frame between two heights. */
  readonly box: (top: number, bottom: number) => void
  /** A line of the brand's colour along the upper edge. */
  readonly band: (color: string | null) => void
  /** At the top right. False when a PDF cannot hold the picture. */
  readonly logo: (picture: Uint8Array) => boolean
  /** A QR code that opens an address. It is not read aloud: put the address beside it. */
  readonly code: (address: string, place: { x: number; y: number; size: number }) => void
  /** Where something of this height goes: here, or on a new page when this one ends before it does. */
  readonly room: (y: number, height: number) => number
  /** Rows one after the other; each returns how far down it reaches. */
  readonly table: (draw: (row: (cells: (within: Structure) => number) => number) => number) => number
  readonly end: () => Promise<Buffer>
}

export interface SheetInfo {
  readonly title: string
  readonly author: string
  readonly subject: string
  readonly createdAt: Date
}

export async function openSheet(info: SheetInfo): Promise<Sheet> {
  // Loaded only when there is something to draw: it takes longer than everything else that a command loads.
  const [{ default: PdfDocument }, typeface] = await Promise.all([import('pdfkit'), readTypeface()])
  const doc = new PdfDocument({
    size: 'A4',
    margins: { top: TOP, bottom: 842 - BOTTOM, left: LEFT, right: 595 - RIGHT },
    pdfVersion: '1.7',
    tagged: true,
    // Without this every document would also name one of the reader's fonts.
    font: '',
    lang: 'en-GB',
    displayTitle: true,
    info: { Title: info.title, Author: info.author, Subject: info.subject, CreationDate: info.createdAt },
  })
  escapeMetadata(doc)
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('end', () => resolve()).on('error', reject)
  })
  const page = doc.struct('Document')
  doc.addStructure(page)
  return {
    put: putOn(doc, page, typeface),
    rule: (y) => besides(doc, () => doc.moveTo(LEFT, y).lineTo(RIGHT, y).lineWidth(0.7).strokeColor(RULE).stroke()),
    box: (top, bottom) =>
      besides(doc, () =>
        doc
          .roundedRect(LEFT - 12, top, RIGHT - LEFT + 24, bottom - top, 6)
          .lineWidth(0.7)
          .strokeColor(RULE)
          .stroke(),
      ),
    band: (color) => besides(doc, () => doc.rect(0, 0, 595, 8).fill(color ?? DEFAULT_COLOR)),
    logo: (picture) => putLogo(doc, picture),
    code: (address, place) => besides(doc, () => drawCode(doc, address, place)),
    room: (y, height) => {
      if (y + height <= BOTTOM) return y
      doc.addPage()
      return TOP
    },
    table: tableOn(doc, page),
    end: async () => {
      page.end()
      doc.end()
      await ended
      return Buffer.concat(chunks)
    },
  }
}

function putOn(doc: Doc, page: Structure, typeface: Typeface): Put {
  // pdfkit takes a font that was read before; its types do not know that yet.
  const source = (font: Font) => font as unknown as PDFKit.Mixins.PDFFontSource
  doc.registerFont(REGULAR, source(typeface.regular)).registerFont(BOLD, source(typeface.bold))
  return (tag, words, { x, y, within = page, size = 10, bold = false, color = INK, width, align = 'left', link }) => {
    const text = writable(bold ? typeface.bold : typeface.regular, words)
    // Digits of one width in columns, so that pence stand under pence. Elsewhere it would take four times as long for
    // nothing.
    const options = {
      width: width ?? RIGHT - x,
      align,
      ...(align === 'right' ? { features: FIGURES } : {}),
      ...(link === undefined ? {} : { link }),
    }
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

/** Draws what is not read aloud. */
function besides(doc: Doc, draw: () => unknown): void {
  doc.markContent('Artifact', { type: 'Layout' })
  try {
    draw()
  } finally {
    doc.endMarkedContent()
  }
}

function drawCode(doc: Doc, address: string, { x, y, size }: { x: number; y: number; size: number }): void {
  const { data } = encode(address, { ecc: 'M', border: 0 })
  const side = size / data.length
  data.forEach((row, down) =>
    row.forEach((isDark, across) => {
      if (isDark) doc.rect(x + across * side, y + down * side, side, side)
    }),
  )
  doc.fill(INK)
}

function putLogo(doc: Doc, picture: Uint8Array): boolean {
  const bytes = Buffer.from(picture)
  try {
    besides(doc, () => doc.image(bytes, RIGHT - 150, 50, { fit: [150, 44], align: 'right', valign: 'center' }))
    return true
  } catch {
    return false
  }
}

function tableOn(doc: Doc, page: Structure): Sheet['table'] {
  return (draw) => {
    const table = doc.struct('Table')
    page.add(table)
    const y = draw((cells) => {
      const within = doc.struct('TR')
      table.add(within)
      const end = cells(within)
      within.end()
      return end
    })
    table.end()
    return y
  }
}
