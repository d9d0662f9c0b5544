// When are two names the same person's? When nothing but case, accents, spacing, punctuation or the order of the parts
// is different. Too generous costs a warning that was not needed; too strict hides a changed account.

/** Letters that Unicode does not take apart, as they are typed on a British keyboard. */
const SPELT: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  '&': 'and',
}

export function nameKey(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[ßłøđðþæœı&]/gu, (letter) => SPELT[letter] ?? letter)
  const words = plain.replaceAll(/\p{M}/gu, '').replaceAll(/\blimited\b/gu, 'ltd')
  const letters = words.replaceAll(/[^\p{L}\p{N}]/gu, '')
  // A name of signs alone is compared as it is: all of them would be one person otherwise.
  return letters === '' ? name.trim() : leastTurn(letters)
}

/** The same for John Smith and Smith, John, wherever the first name ends: of all turns of the letters, the first. */
function leastTurn(letters: string): string {
  let least = letters
  for (let start = 1; start < letters.length; start++) {
    const turned = letters.slice(start) + letters.slice(0, start)
    if (turned < least) least = turned
  }
  return least
}
