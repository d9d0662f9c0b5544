// What a PDF says, read as a reader's "copy text" does it: glyphs of each page, through the map of their font.
import { inflateSync } from 'node:zlib'

export const pdfWords = (pdf: Buffer): string =>
  pdfPlaces(pdf)
    .said.map(({ words }) => words)
    .join('\n')

export interface PlacedWords {
  readonly words: string
  readonly x: number
  /** From the top of the page. */
  readonly y: number
}

/** Where a page says what, and the frames that are drawn on it. */
export function pdfPlaces(pdf: Buffer): { said: PlacedWords[]; frames: { top: number; bottom: number }[] } {
  const objects = objectsOf(pdf)
  const maps = new Map([...objects].map(([id, body]) => [id, lettersOf(objects, body)]))
  const fonts = fontsOf(objects)
  const said: PlacedWords[] = []
  const frames: { top: number; bottom: number }[] = []
  for (const { stream } of objects.values()) {
    let letters: ReadonlyMap<string, string> | undefined
    let at = { x: 0, y: 0 }
    for (const [, x, y, font, glyphs] of stream.matchAll(
      /1 0 0 1 ([-\d.]+) ([-\d.]+) Tm|\/(F\d+) [\d.]+ Tf|\[(.+?)\] TJ/g,
    )) {
      if (x !== undefined) at = { x: Number(x), y: PAGE_HEIGHT - Number(y) }
      else if (font !== undefined) letters = maps.get(fonts.get(font) ?? '')
      else said.push({ words: read(glyphs ?? '', letters), ...at })
    }
    // A frame has round corners, so it is drawn with curves; what is drawn has its y from the top already.
    for (const [path] of stream.matchAll(/[-\d.]+ [-\d.]+ m\n(?:[-\d. ]+ [lc]\n)*?h\n/g)) {
      if (!path.includes(' c\n')) continue
      const heights = [...path.matchAll(/([-\d.]+) [mlc]$/gm)].map(([, height]) => Number(height))
      frames.push({ top: Math.min(...heights), bottom: Math.max(...heights) })
    }
  }
  return { said, frames }
}

const PAGE_HEIGHT = 841.89

interface PdfObject {
  readonly head: string
  readonly stream: string
}

function objectsOf(pdf: Buffer): Map<string, PdfObject> {
  const found = new Map<string, PdfObject>()
  for (const [, id = '', body = ''] of pdf.toString('latin1').matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [head = '', packed] = body.split('\nstream\n')
    found.set(id, { head, stream: packed === undefined ? '' : unpack(packed.replace(/\nendstream$/, '')) })
  }
  return found
}

function unpack(packed: string): string {
  try {
    return inflateSync(Buffer.from(packed, 'latin1')).toString('latin1')
  } catch {
    return ''
  }
}

/** The object of each font, by the name that pages call it. */
function fontsOf(objects: ReadonlyMap<string, PdfObject>): Map<string, string> {
  const fonts = new Map<string, string>()
  for (const { head } of objects.values()) {
    for (const [, name = '', id = ''] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) fonts.set(name, id)
  }
  return fonts
}

/** The letters behind a font's glyphs. */
function lettersOf(objects: ReadonlyMap<string, PdfObject>, { head }: PdfObject): Map<string, string> {
  const id = /\/ToUnicode (\d+) 0 R/.exec(head)?.[1] ?? ''
  const letters = new Map<string, string>()
  for (const [, first = '', list = ''] of (objects.get(id)?.stream ?? '').matchAll(
    /<([0-9a-f]{4})> <[0-9a-f]{4}> \[(.+?)\]/g,
  )) {
    for (const [index, [, hex = '']] of [...list.matchAll(/<([0-9a-f ]*)>/g)].entries()) {
      const glyph = (parseInt(first, 16) + index).toString(16).padStart(4, '0')
      letters.set(glyph, Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'))
    }
  }
  return letters
}

function read(glyphs: string, letters: ReadonlyMap<string, string> | undefined): string {
  const codes = [...glyphs.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
  return codes.map((code) => letters?.get(code) ?? '\uFFFD').join('')
}
