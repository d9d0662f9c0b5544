/** What is compared between a row and an event of the stream. */
export interface Stamp {
  readonly id: string
  readonly updated_at: string
}

interface Compared {
  /** The rows as they are shown. */
  readonly shown: readonly Stamp[]
  /** The first page as it is by now, under the same filter. */
  readonly now: readonly Stamp[]
  readonly told: readonly Stamp[]
}

/**
 * Which of the payouts that the stream told of would look different if the list were read again. The stream repeats the
 * last seconds to whoever comes, and knows nothing of filters; what is in neither list is of no concern here.
 */
export function updatesAmong({ shown, now, told }: Compared): readonly string[] {
  const shownAt = new Map(shown.map((row) => [row.id, Date.parse(row.updated_at)]))
  const isInList = new Set(now.map(({ id }) => id))
  return told
    .filter(({ id, updated_at }) => {
      const before = shownAt.get(id)
      return before === undefined ? isInList.has(id) : before < Date.parse(updated_at)
    })
    .map(({ id }) => id)
}
