// Amounts as the API writes them, read and rounded without the program's own arithmetic, which is what is looked at.
const MICRO_PER_PENNY = 1_000_000n

/** Pounds with two decimals. */
export function penceIn(pounds: string): bigint {
  return smallestUnits(pounds, 2)
}

/** Pounds with up to eight decimals, in millionths of a penny. */
export function microPenceIn(pounds: string): bigint {
  return smallestUnits(pounds, 8)
}

/** USDC with up to six decimals. */
export function microUsdcIn(usdc: string): bigint {
  return smallestUnits(usdc, 6)
}

function smallestUnits(text: string, most: number): bigint {
  const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d+)\.(\d{2,})$/.exec(text) ?? []
  if (whole === '' || decimals.length > most) throw new Error(`No amount with at most ${most} decimals: ${text}`)
  return BigInt(`${sign}${whole}${decimals.padEnd(most, '0')}`)
}

/** Half a penny rounds up. */
export function nearestPenny(microPence: bigint): bigint {
  return (microPence * 2n + MICRO_PER_PENNY) / (MICRO_PER_PENNY * 2n)
}

export function sumOf<T>(items: readonly T[], amountOf: (item: T) => bigint): bigint {
  return items.reduce((sum, item) => sum + amountOf(item), 0n)
}
