/** For what cannot happen. A failure here is a bug of ours, never the caller's. */
export function assert(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new Error(`This should be impossible: ${sentence}`)
}
