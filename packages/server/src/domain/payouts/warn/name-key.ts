// Two names count as the same person's when only case, accents, spacing, punctuation or the order of the parts differ.
// Too generous costs a needless warning; too strict hides a changed account.

/** Letters that Unicode does not decompose, as they are typed on a British keyboard. */
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

/**
 * A first and a last name at their longest. The text is cut here first, because folding can turn one letter into
 * eighteen.
 */
const LONGEST = 2 * 160 + 1

/** Letters, digits and signs of ASCII that mean nothing by themselves. Most names are of these, and folding costs them ten times as much. */
const IS_PLAIN = /^(?!.*limited)[ -%'-~]*$/i

export function nameKey(name: string): string {
  const begin = name.slice(0, LONGEST)
  const letters = IS_PLAIN.test(begin) ? begin.toLowerCase().replaceAll(/[^a-z0-9]/g, '') : foldedLetters(begin)
  // A name without letters is compared as it is: otherwise all of them would be one person.
  return letters === '' ? name.trim() : leastTurn(letters)
}

function foldedLetters(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[ßłøđðþæœı&]/gu, (letter) => SPELT[letter] ?? letter)
  const words = plain.replaceAll(/\p{M}/gu, '').replaceAll(/\blimited\b/gu, 'ltd')
  return words.replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/**
 * The same for "John Smith" and "Smith, John", wherever the first name ends: the alphabetically first rotation of the
 * letters.
 */
function leastTurn(letters: string): string {
  const start = startOfLeastTurn(letters)
  return letters.slice(start) + letters.slice(0, start)
}

/**
 * Compares two rotations until they differ. No rotation that starts within the part where they were equal can be the
 * first, so that part is skipped: each letter is looked at three times at most.
 */
function startOfLeastTurn(letters: string): number {
  const { length } = letters
  let [one, other, same] = [0, 1, 0]
  while (one < length && other < length && same < length) {
    const difference = letters.charCodeAt((one + same) % length) - letters.charCodeAt((other + same) % length)
    if (difference === 0) {
      same += 1
      continue
    }
    if (difference > 0) one += same + 1
    else other += same + 1
    if (one === other) other += 1
    same = 0
  }
  return Math.min(one, other)
}
