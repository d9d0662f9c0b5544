// The events of one open stream: read on from a position, page by page, as fast as the listener takes them. None is left out and
// none comes twice: a listener that comes back says which one it has.
import { monotonicMs, sleep, wait } from '../../core/clock.ts'
import type { Scope } from '../../core/scope.ts'
import type { OneAfterAnother } from '../../core/one-after-another.ts'
import type { Deps } from '../../domain/deps.ts'
import { readEventsAfter } from '../../domain/events/read-events.ts'
import { presentEvent } from '../present/event.ts'
import type { EventStream } from './event-stream.ts'

/** About half of what may wait for a slow listener. */
const MOST_AT_ONCE = 100
const AGAIN_MS = 1_000
/** Others come first for so many times as long as a full page took, so that a backlog takes a fifth of the time at most. */
const TIMES_LEFT_TO_OTHERS = 4

export interface StreamedEvents {
  /** There may be more. */
  wake(): void
}

export function streamEvents(
  deps: Pick<Deps, 'reports' | 'clock' | 'rails'>,
  { scope, from, stream, pages }: { scope: Scope; from: bigint; stream: EventStream; pages: OneAfterAnother },
): StreamedEvents {
  let position = from
  let isReading = false
  let isWoken = false
  const hasMore = () => isWoken && !stream.isOver()

  async function readOn(): Promise<void> {
    while (hasMore()) {
      await pages.take(scope.partnerId, readPage)
      // Not in the turn: a slow listener keeps no other waiting.
      await stream.drained()
    }
  }

  async function readPage(): Promise<void> {
    if (stream.isOver()) return
    isWoken = false
    const beganAt = monotonicMs(deps.clock)
    const events = await readEventsAfter(deps, scope, { position, most: MOST_AT_ONCE })
    // In one piece: what has been read and may not wait would be read again each time the listener comes back.
    stream.write(events.map((event) => eventText(event.id, event.type, presentEvent(deps, event))).join(''))
    position = events.at(-1)?.position ?? position
    if (events.length < MOST_AT_ONCE) return
    isWoken = true
    await wait(deps.clock, TIMES_LEFT_TO_OTHERS * (monotonicMs(deps.clock) - beganAt))
  }

  return {
    wake() {
      isWoken = true
      if (isReading) return
      isReading = true
      void readUntilDone()
    },
  }

  /** While the database is away it is asked again: nothing is lost by it. */
  async function readUntilDone(): Promise<void> {
    while (hasMore()) {
      await readOn().catch(async () => {
        isWoken = true
        await sleep(AGAIN_MS)
      })
    }
    isReading = false
  }
}

function eventText(id: string, type: string, data: object): string {
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
