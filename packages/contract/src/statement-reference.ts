// Faster Payments carries 18 characters of a small set. The whole reference is kept; the bank gets this form of it, and
// the dashboard shows it while somebody types.
const LONGEST = 18
const NOT_CARRIED = /[^a-zA-Z0-9/\-?:().,'+ #=!"%&*<>;{@]+/g
const ACCENTS = /[\u0300-\u036f]/g
/** Letters that do not decompose into one of the set and an accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
}

/** Null when there is no reference, or nothing of it can be carried. */
export function statementReference(reference: string | null): string | null {
  const folded = (reference ?? '')
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(/[^\u0020-\u007e]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(NOT_CARRIED, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, LONGEST)
    .trim()
  return folded === '' ? null : folded
}
