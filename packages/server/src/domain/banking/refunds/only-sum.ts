/** More than these are not tried out: then it is all of them, or nobody can tell. */
const MOST_TRIED = 12

/** Those whose amounts make up a sum, if there is exactly one way to choose them; otherwise null. */
export function onlySum<T extends { readonly amount: bigint }>(sum: bigint, items: readonly T[]): readonly T[] | null {
  if (sum <= 0n) return null
  if (sumOf(items) === sum) return items
  if (items.length > MOST_TRIED) return null
  let ways: (readonly T[])[] = [[]]
  for (const item of items) ways = [...ways, ...ways.map((way) => [...way, item])]
  const fitting = ways.filter((way) => sumOf(way) === sum)
  return fitting.length === 1 ? fitting[0]! : null
}

export function sumOf(items: readonly { readonly amount: bigint }[]): bigint {
  return items.reduce((sum, { amount }) => sum + amount, 0n)
}
