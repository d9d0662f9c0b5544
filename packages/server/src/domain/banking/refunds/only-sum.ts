/** More than these are not tried out: then it is all of them, none, or nobody can tell. */
const MOST_TRIED = 12

interface Sized {
  readonly amount: bigint
}

/** Those whose amounts make up a sum, if there is exactly one way to choose them; otherwise null. */
export function onlySum<T extends Sized>(sum: bigint, items: readonly T[]): readonly T[] | null {
  if (sum <= 0n) return null
  if (sumOf(items) === sum) return items
  const [way, another] = waysTo(sum, items)
  return another === undefined ? (way ?? null) : null
}

/** Every choice of those whose amounts make up a sum. */
export function waysTo<T extends Sized>(sum: bigint, items: readonly T[]): readonly (readonly T[])[] {
  if (items.length > MOST_TRIED) return sum === 0n ? [[]] : sumOf(items) === sum ? [items] : []
  let ways: (readonly T[])[] = [[]]
  for (const item of items) ways = [...ways, ...ways.map((way) => [...way, item])]
  return ways.filter((way) => sumOf(way) === sum)
}

export function sumOf(items: readonly Sized[]): bigint {
  return items.reduce((sum, { amount }) => sum + amount, 0n)
}
