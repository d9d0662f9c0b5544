// Makes a text writable with the letters that our typeface has: Latin and Cyrillic with all their accents. Other
// letters lose their accents, and what is still missing becomes a question mark, so that no document fails on a name.
import type { Font } from 'fontkit'

export function writable(font: Pick<Font, 'hasGlyphForCodePoint'>, text: string): string {
  const has = (letter: string) => font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0)
  return [...text.normalize('NFC')]
    .map((letter) => {
      if (has(letter)) return letter
      const bare = letter.normalize('NFKD').replaceAll(/\p{M}/gu, '')
      return bare !== '' && [...bare].every(has) ? bare : '?'
    })
    .join('')
}
