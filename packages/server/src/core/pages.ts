/** A list that is given out a page at a time, each page with the cursor of the next; null after the last. */
export async function* pages<Page extends { readonly next: string | null }>(
  read: (cursor: string | null) => Promise<Page>,
): AsyncGenerator<Page> {
  let cursor: string | null = null
  do {
    const page: Page = await read(cursor)
    yield page
    cursor = page.next
  } while (cursor !== null)
}
