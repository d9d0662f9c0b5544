// The events of one open stream: read on from a position, page by page, as fast as the listener takes them. None is left out and
// none comes twice: a listener that comes back says which one it has.
import { monotonicMs, sleep, wait } from '../../core/clock.ts'
import type { Scope } from '../../core/scope.ts'
import type { Turns } from '../../core/turns.ts'
import type { Deps } from '../../domain/deps.ts'
import { readEventsAfter } from '../../domain/events/read-events.ts'
import { presentEvent } from '../present/event.ts'
import type { EventStream } from './event-stream.ts'

/** About half of what may wait for a slow listener. */
const MOST_AT_ONCE = 100
const AGAIN_MS = 1_000
/** So many times as long as a full page took, others come first: the streams of a business read what they missed with a fifth of the time. */
const TIMES_LEFT_TO_OTHERS = 4

export interface StreamedEvents {
  /** There may be more. */
  wake(): void
}

export function streamEvents(
  deps: Pick<Deps, 'reports' | 'clock' | 'rails'>,
  { scope, from, stream, turns }: { scope: Scope; from: bigint; stream: EventStream; turns: Turns },
): StreamedEvents {
  let position = from
  let isReading = false
  let isWoken = false

  async function readOn(): Promise<void> {
    while (isWoken && !stream.isOver()) {
      await turns.take(scope.partnerId, readPage)
      // Not in the turn: a slow listener keeps no other waiting.
      await stream.drained()
    }
  }

  async function readPage(): Promise<void> {
    if (stream.isOver()) return
    isWoken = false
    const beganAt = monotonicMs(deps.clock)
    const events = await readEventsAfter(deps, scope, { position, most: MOST_AT_ONCE })
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
    while (isWoken && !stream.isOver()) {
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
