/** A list whose pages lead back to an earlier one: reading on would never end. */
export class CircularList extends Error {
  override readonly name = 'CircularList'
}

/**
 * Notices a list whose cursors go round, however long the round is, by remembering a single cursor. It is replaced by
 * later and later ones, until it lies in the round and comes up again.
 */
export function watchForCircles(): (next: string | null) => void {
  let [remembered, pagesSince, rememberAnew]: [string | null, number, number] = [null, 0, 1]
  return (next) => {
    if (next !== null && next === remembered) throw new CircularList('The bank’s list goes round in a circle.')
    pagesSince += 1
    if (pagesSince === rememberAnew) [remembered, pagesSince, rememberAnew] = [next, 0, rememberAnew * 2]
  }
}

/** A list that comes in pages, each with the cursor of the next; null after the last. */
export async function* pages<Page extends { readonly next: string | null }>(
  read: (cursor: string | null) => Promise<Page>,
): AsyncGenerator<Page> {
  const watch = watchForCircles()
  let cursor: string | null = null
  do {
    const page: Page = await read(cursor)
    watch(page.next)
    yield page
    cursor = page.next
  } while (cursor !== null)
}
