// A PDF describes itself to programs in XML, and pdfkit writes names into it unescaped. A name is data: markup in it is
// escaped, and what XML cannot hold is left out.
import type Pdf from 'pdfkit'

/** pdfkit's way of writing metadata, and the facts that it uses. Its types have neither. */
interface WithMetadata {
  info: Record<string, unknown>
  endMetadata: () => void
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

export function escapeMetadata(doc: InstanceType<typeof Pdf>): void {
  const own = doc as unknown as WithMetadata
  const endMetadata = own.endMetadata.bind(own)
  own.endMetadata = () => {
    const { info } = own
    own.info = Object.fromEntries(Object.entries(info).map(([name, value]) => [name, escaped(value)]))
    endMetadata()
    own.info = info
  }
}

function escaped(value: unknown): unknown {
  // Dates stay dates: pdfkit formats them itself.
  if (typeof value !== 'string') return value
  return value
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"']/g, (letter) => ESCAPES[letter] ?? '')
}
