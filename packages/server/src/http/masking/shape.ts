/** A masked text longer than this says no more than its beginning. */
const LONGEST_SHAPE = 60

/** The shape of a text: letters and digits become stars, so that a missing digit or an odd dash can still be seen. */
export function shapeOf(text: string): string {
  const shape = text.slice(0, LONGEST_SHAPE).replaceAll(/[^ !-/:-@[-`{-~]/g, '*')
  return text.length > LONGEST_SHAPE ? `${shape}…` : shape
}
