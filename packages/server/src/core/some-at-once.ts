/** Works through a list with at most `most` items under way at once. */
export async function someAtOnce<T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  for (let index = 0; index < items.length; index += most) {
    const done = await Promise.allSettled(items.slice(index, index + most).map(work))
    // Thrown once all of them are over: whoever hears of it finds nothing still under way.
    const failed = done.find((each) => each.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
}
