// The order in which a person reads the operations: first what one comes for.

/** What begins its part of the reference. */
const FIRST = { path: '/v1/payouts', method: 'post' }

export function inReadingOrder<T>(paths: Record<string, Record<string, T>>): Record<string, Record<string, T>> {
  const first = paths[FIRST.path]
  if (first === undefined) return paths
  const methods = { ...(FIRST.method in first ? { [FIRST.method]: first[FIRST.method]! } : {}), ...first }
  const { [FIRST.path]: _first, ...others } = paths
  return { [FIRST.path]: methods, ...others }
}
