// The letters that every PDF reader has without being given a font: Western European ones. Others lose their accents,
// and what is left over becomes a question mark, so that no document fails on a name.
const EXTRA = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'
const STROKES: Readonly<Record<string, string>> = { ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ı: 'i', ħ: 'h', Ħ: 'H' }

export function plainLetters(text: string): string {
  return [...text.normalize('NFC')].map(plainLetter).join('')
}

function plainLetter(letter: string): string {
  if (isKnown(letter)) return letter
  const bare = STROKES[letter] ?? letter.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return bare !== '' && [...bare].every(isKnown) ? bare : '?'
}

function isKnown(letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0
  return (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff) || EXTRA.includes(letter)
}
