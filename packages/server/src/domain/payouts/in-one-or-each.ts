// A batch in one transaction; and if the database refuses it, item by item, so that one is nobody else's bad luck.
import { isOutage } from '../../core/outage.ts'

/** What `failed` makes of those that could not be recorded by themselves either. An outage is nobody's fault: it is thrown. */
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
    // While nothing answers, asking for each would only take longer.
    if (isOutage(error)) throw error
    if (items.length === 1) return [...how.failed(items[0]!, error)]
  }
  const failures: Failure[] = []
  for (const item of items) failures.push(...(await inOneOrEach([item], how)))
  return failures
}
