// A list that is read page by page, only as far as the caller goes.

export interface Page<Item> {
  readonly data: readonly Item[]
  readonly has_more?: boolean
  readonly next_cursor?: string | null
}

export interface PageQuery {
  readonly limit?: number
  readonly cursor?: string
}

const LARGEST_PAGE = 200

/** `for await (const item of list)`, `await list.first(10)`, or `await list.page()` for one page as the API answers it. */
export class Pages<Item, Answer extends Page<Item> = Page<Item>> implements AsyncIterable<Item> {
  readonly #read: (query: PageQuery) => Promise<Answer>

  constructor(read: (query: PageQuery) => Promise<Answer>) {
    this.#read = read
  }

  /** The first page, or the one of a cursor. */
  page(query: PageQuery = {}): Promise<Answer> {
    return this.#read(query)
  }

  /** At most so many, from the beginning. */
  async first(count: number): Promise<Item[]> {
    const items: Item[] = []
    if (count <= 0) return items
    for await (const item of this.#items({ limit: Math.min(count, LARGEST_PAGE) })) {
      items.push(item)
      if (items.length >= count) break
    }
    return items
  }

  [Symbol.asyncIterator](): AsyncIterator<Item> {
    return this.#items({})
  }

  async *#items(query: PageQuery): AsyncGenerator<Item, void> {
    let cursor: string | undefined
    for (;;) {
      const page = await this.#read(cursor === undefined ? query : { ...query, cursor })
      yield* page.data
      const next = page.next_cursor ?? undefined
      // A cursor that leads to itself would be read for ever.
      if (page.has_more !== true || next === undefined || next === cursor) return
      cursor = next
    }
  }
}
