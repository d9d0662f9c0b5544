interface Kept<Key> {
  readonly size: number
  keys(): Iterable<Key>
  delete(key: Key): unknown
}

/** Keeps a map or a set within its bound, to be called after each that is added: who came first goes first. */
export function forgetOldest<Key>(kept: Kept<Key>, most: number): void {
  if (kept.size <= most) return
  for (const oldest of kept.keys()) {
    kept.delete(oldest)
    return
  }
}
