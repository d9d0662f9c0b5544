// Writes a batch in one transaction. If the database refuses it, item by item, so that one bad item spoils none of the
// others.
import { isOutage } from '../../../core/outage.ts'
import { wasDeadlocked } from '../../../storage/database.ts'

/** A deadlock is over as soon as PostgreSQL has ended one of the two; nobody meets so many of them in a row. */
const TRIES = 3

/**
 * Returns what `failed` makes of items that could not be written by themselves either. An outage is thrown: it is no
 * item's fault.
 */
export async function inOneOrEach<Item, Failure>(
  items: readonly Item[],
  how: {
    record: (some: readonly Item[]) => Promise<unknown>
    failed: (item: Item, error: unknown) => readonly Failure[]
  },
): Promise<Failure[]> {
  try {
    await unlessDeadlocked(() => how.record(items), items.length === 1 ? TRIES : 1)
    return []
  } catch (error) {
    // While the database does not answer, trying each item would only take longer.
    const mayBeTriedAlone = wasDeadlocked(error) && items.length > 1
    if (isOutage(error) && !mayBeTriedAlone) throw error
    if (items.length === 1) return [...how.failed(items[0]!, error)]
  }
  const failures: Failure[] = []
  for (const item of items) failures.push(...(await inOneOrEach([item], how)))
  return failures
}

/** A transaction that PostgreSQL ended has written nothing: it is done again. */
async function unlessDeadlocked(record: () => Promise<unknown>, tries: number): Promise<unknown> {
  try {
    return await record()
  } catch (error) {
    if (tries === 1 || !wasDeadlocked(error)) throw error
    return unlessDeadlocked(record, tries - 1)
  }
}
