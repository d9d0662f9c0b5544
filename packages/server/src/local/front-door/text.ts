export const TERMINAL_WIDTH = 80

// Chinese, Japanese and Korean characters take two columns, combining marks none. Folder names
// and partner names may well contain them.
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/
const MARK = /\p{Mark}/u

/** How many columns a text takes in a terminal. */
export function columns(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + columnsOf(character), 0)
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - columns(text)))
}

/** Shortens in the middle: of a path, and of a list that ends in a port, both ends matter. */
export function fit(text: string, width: number): string {
  const clean = printable(text)
  if (columns(clean) <= width) return clean
  const characters = Array.from(clean)
  const tail = takeColumns(characters.toReversed(), Math.floor((width - 1) / 2)).toReversed()
  const head = takeColumns(characters, width - 1 - columns(tail.join('')))
  return `${head.join('')}…${tail.join('')}`
}

/** Breaks a text at spaces into lines of at most `width` columns; longer words stay whole. */
export function wrapLines(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of printable(text).split(' ')) {
    const last = lines.at(-1)
    const longer = `${last ?? ''} ${word}`
    if (last !== undefined && columns(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** A line break or an escape sequence in a name must not disturb the screen. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim()
}

function columnsOf(character: string): number {
  if (MARK.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}

function takeColumns(characters: string[], width: number): string[] {
  let used = 0
  const end = characters.findIndex((character) => (used += columnsOf(character)) > width)
  return end === -1 ? characters : characters.slice(0, end)
}
