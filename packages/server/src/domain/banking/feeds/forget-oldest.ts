const MOST_KEPT = 10_000

/** What a process remembers of the bank's world has a bound: who came first goes first. */
export function forgetOldest(kept: Map<string, unknown>): void {
  if (kept.size <= MOST_KEPT) return
  const [oldest] = kept.keys()
  if (oldest !== undefined) kept.delete(oldest)
}
