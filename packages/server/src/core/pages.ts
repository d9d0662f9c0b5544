/** A list that comes back to where it was: whoever goes on reading it never ends. */
export class CircularList extends Error {
  override readonly name = 'CircularList'
}

/**
 * Notices a list whose cursors go round, whatever the length of the round, and remembers one cursor for that: the one of
 * some page, and of later and later ones, so that it comes to lie in the round and is met again.
 */
export function watchForCircles(): (next: string | null) => void {
  let [remembered, pagesSince, rememberAnew]: [string | null, number, number] = [null, 0, 1]
  return (next) => {
    if (next !== null && next === remembered) throw new CircularList('The bank’s list goes round in a circle.')
    pagesSince += 1
    if (pagesSince === rememberAnew) [remembered, pagesSince, rememberAnew] = [next, 0, rememberAnew * 2]
  }
}

/** A list that is given out a page at a time, each page with the cursor of the next; null after the last. */
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
