/** What a promise gives, or something else once that has taken longer. It goes on all the same. */
export async function within<T, U>(milliseconds: number, promise: Promise<T>, otherwise: U): Promise<T | U> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<U>((resolve) => (timer = setTimeout(resolve, milliseconds, otherwise)))
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
