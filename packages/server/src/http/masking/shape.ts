/** A masked text longer than this says no more than its beginning. */
const LONGEST_SHAPE = 60
const STARS = Array.from({ length: LONGEST_SHAPE + 1 }, (_, length) => '*'.repeat(length))

/** The shape of a text: letters and digits become stars, so that a missing digit or an odd dash can still be seen. */
export function shapeOf(text: string): string {
  const end = Math.min(text.length, LONGEST_SHAPE)
  let shape = ''
  // Of stars that are not in the shape yet.
  let stars = 0
  for (let at = 0; at < end; at++) {
    if (!isPunctuation(text.charCodeAt(at))) {
      stars++
      continue
    }
    shape += STARS[stars]! + text[at]!
    stars = 0
  }
  shape += STARS[stars]!
  return text.length > LONGEST_SHAPE ? `${shape}…` : shape
}

/** Space and what else of ASCII is neither a letter nor a digit nor a control. */
function isPunctuation(code: number): boolean {
  return (
    (code >= 0x20 && code <= 0x2f) ||
    (code >= 0x3a && code <= 0x40) ||
    (code >= 0x5b && code <= 0x60) ||
    (code >= 0x7b && code <= 0x7e)
  )
}
