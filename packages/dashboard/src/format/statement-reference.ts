// What of a reference a bank statement carries: 18 characters of a small set, as the service folds it.
const LONGEST = 18
const NOT_CARRIED = /[^a-zA-Z0-9/\-?:().,'+ #=!"%&*<>;{@]+/g
const ACCENTS = /[\u0300-\u036f]/g
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

/** Empty when nothing of it can be carried. */
export function statementReference(typed: string): string {
  return typed
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(/[^\u0020-\u007e]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(NOT_CARRIED, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, LONGEST)
    .trim()
}
