/** More sums than these say nothing: almost any amount is one of them. */
const MOST_SUMS = 10_000

/** Whether an amount can be made of some of the others, each whole: refunds come whole, or somebody has to look. */
export function isAccountedFor(amount: bigint, others: readonly bigint[]): boolean {
  if (amount <= 0n) return true
  const sums = new Set([0n])
  for (const other of others) {
    const larger = [...sums].map((sum) => sum + other)
    for (const sum of larger) if (sum <= amount) sums.add(sum)
    if (sums.has(amount) || sums.size > MOST_SUMS) return true
  }
  return false
}
