// Events from a place on, each once and in order, over restarts of the service.
import { ApiError, ConnectionError, type Event, type Kestrel } from '@kestrel/sdk'

import { pause } from '../watch.ts'

const LOOK_AGAIN_MS = 1_000

/** The newest event there is, or null before the first. */
export async function newestEvent(kestrel: Kestrel, signal: AbortSignal): Promise<string | null> {
  const [newest] = await kestrel.events.list({}, { signal }).first(1)
  return newest?.id ?? null
}

export async function* eventsAfter(kestrel: Kestrel, place: string | null, signal: AbortSignal): AsyncGenerator<Event> {
  let last = place
  // A stream goes on after an event, so the first of all is waited for.
  while (last === null && !signal.aborted) {
    for (const event of await oldestFirst(kestrel, signal)) {
      last = event.id
      yield event
    }
    if (last === null) await pause(LOOK_AGAIN_MS, signal)
  }
  if (last !== null) yield* kestrel.events.listen({ after: last, signal })
}

async function oldestFirst(kestrel: Kestrel, signal: AbortSignal): Promise<Event[]> {
  const events: Event[] = []
  try {
    for await (const event of kestrel.events.list({}, { signal })) events.unshift(event)
    return events
  } catch (error) {
    if (signal.aborted) return []
    // The service is being restarted, perhaps: half a list is none.
    if (error instanceof ConnectionError || (error instanceof ApiError && error.retryable)) return []
    throw error
  }
}
