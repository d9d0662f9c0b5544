// The word that somebody who mistyped may have meant.

const FARTHEST = 3

export function nearest(word: string, among: readonly string[]): string | null {
  const scored = among.map((each) => ({ each, distance: distanceOf(word.toLowerCase(), each) }))
  const [best] = scored.toSorted((one, other) => one.distance - other.distance)
  return best !== undefined && best.distance <= Math.min(FARTHEST, Math.ceil(word.length / 2)) ? best.each : null
}

/** How many letters have to be changed, added or left out. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const changed = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[other.length]!
}
