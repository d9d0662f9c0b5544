/** Works through a list with at most `most` items under way at once. */
export async function someAtOnce<T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  for (let index = 0; index < items.length; index += most) {
    await Promise.all(items.slice(index, index + most).map(work))
  }
}
