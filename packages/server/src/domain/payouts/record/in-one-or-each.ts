// Writes a batch in one transaction. If the database refuses it, item by item, so that one bad item spoils none of the
// others.
import { isOutage } from '../../../core/outage.ts'

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
    await how.record(items)
    return []
  } catch (error) {
    // While the database does not answer, trying each item would only take longer.
    if (isOutage(error)) throw error
    if (items.length === 1) return [...how.failed(items[0]!, error)]
  }
  const failures: Failure[] = []
  for (const item of items) failures.push(...(await inOneOrEach([item], how)))
  return failures
}
