import { ApiError, UsageError } from '../errors.ts'
import { type StreamMessage, messagesIn } from '../event-stream.ts'
import type { Operations } from '../generated/operations.ts'
import type { Event, EventList, Redelivery, WebhookDeliveriesMade } from '../generated/types.ts'
import { Pages } from '../pages.ts'
import { ForeignAnswer } from '../read-answer.ts'
import { pause, waitBefore } from '../retries.ts'
import type { CallOptions, Transport } from '../transport.ts'

type EventQuery = NonNullable<Operations['GET /v1/events']['query']>

/** Whoever asks for more patience is asked again all the same: a listener is to hear of what happens. */
const LONGEST_WISH_SECONDS = 60

export interface ListenOptions {
  /** The last event that you have: it goes on after it, and leaves none out. By default with what happens next. */
  readonly after?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export class Events {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The newest first; with `after`, what came after that event, the oldest first. Kept for 90 days. */
  list(query: EventQuery = {}, options?: CallOptions): Pages<Event, EventList> {
    return new Pages((page) => this.#transport.json('GET /v1/events', { query: { ...query, ...page } }, options))
  }

  retrieve(id: string, options?: CallOptions): Promise<Event> {
    return this.#transport.json('GET /v1/events/{id}', { path: { id } }, options)
  }

  /** Sends the event again to your webhook endpoints, or to one of them. */
  redeliver(id: string, body: Redelivery = {}, options?: CallOptions): Promise<WebhookDeliveriesMade> {
    return this.#transport.json('POST /v1/events/{id}/redeliver', { path: { id }, body }, options)
  }

  /**
   * Events as they happen, each once and in order, over restarts of the service and breaks of the connection. It ends when the
   * signal does, or with an error that waiting would not mend.
   */
  async *listen({ after, signal }: ListenOptions = {}): AsyncGenerator<Event> {
    let last = after ?? (await this.list({}, { signal }).first(1))[0]?.id
    for (let failures = 0; !isOver(signal);) {
      let wishedSeconds = 0
      try {
        for await (const event of last === undefined ? this.#fromTheFirst(signal) : this.#after(last, signal)) {
          failures = 0
          last = event.id
          yield event
        }
      } catch (error) {
        if (isOver(signal)) return
        if (!mayPass(error)) throw error
        wishedSeconds = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0
      }
      failures += 1
      await pause(waitBefore(Math.min(failures, 5), Math.min(wishedSeconds, LONGEST_WISH_SECONDS)), signal)
    }
  }

  /** One connection to `GET /v1/stream`, with hints: messages without an id. */
  async *stream({
    lastEventId,
    signal,
  }: { lastEventId?: string | undefined; signal?: AbortSignal | undefined } = {}): AsyncGenerator<StreamMessage> {
    yield* messagesIn(await this.#open(lastEventId, signal), signal)
  }

  async *#after(last: string, signal: AbortSignal | undefined): AsyncGenerator<Event> {
    for await (const { id, data } of this.stream({ lastEventId: last, signal })) if (id !== null) yield data as Event
  }

  /** Nothing had happened when it began to listen, so whatever there is by now is new: asked for once the stream is open. */
  async *#fromTheFirst(signal: AbortSignal | undefined): AsyncGenerator<Event> {
    const response = await this.#open(undefined, signal)
    try {
      const events: Event[] = []
      for await (const event of this.list({}, { signal })) events.unshift(event)
      yield* events
      const seen = new Set(events.map(({ id }) => id))
      for await (const { id, data } of messagesIn(response, signal))
        if (id !== null && !seen.has(id)) yield data as Event
    } finally {
      // Refused while somebody reads it, who then leaves by himself.
      await response.body?.cancel().catch(() => undefined)
    }
  }

  #open(lastEventId: string | undefined, signal: AbortSignal | undefined): Promise<Response> {
    const query = lastEventId === undefined ? {} : { last_event_id: lastEventId }
    return this.#transport.open('GET /v1/stream', { query }, { signal, maxRetries: 0 })
  }
}

/** A connection that breaks says so in as many ways as there are runtimes. */
function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return error.retryable
  return !(error instanceof UsageError) && !((error as Error | null)?.cause instanceof ForeignAnswer)
}

function isOver(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true
}
