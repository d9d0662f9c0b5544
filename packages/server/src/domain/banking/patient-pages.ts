// A long list, read to its end from a bank that is busy now and then.
import { sleep } from '../../core/clock.ts'
import { pages } from '../../core/pages.ts'
import { RailUnavailable } from '../../rail/rail.ts'

/** A bank that is down should be reported as that, and soon. */
const PAUSES_MS = [500, 2_000, 5_000] as const

export function patientPages<Page extends { readonly next: string | null }>(
  read: (cursor: string | null) => Promise<Page>,
): AsyncGenerator<Page> {
  return pages(async (cursor) => {
    for (const pause of PAUSES_MS) {
      try {
        return await read(cursor)
      } catch (error) {
        if (!(error instanceof RailUnavailable)) throw error
        await sleep(pause)
      }
    }
    return read(cursor)
  })
}
