// Events as they happen, passed on to a receiver on this machine or elsewhere. An event is done when the receiver answered 2xx;
// only then the place moves on, so whatever is restarted, the next start goes on with what was not taken.
import { ApiError, type Event, Kestrel } from '@kestrel/sdk'

import { countOf } from '../amount.ts'
import type { Context } from '../command.ts'
import { EXIT, Failure, misuse } from '../failure.ts'
import { eventsAfter, newestEvent } from '../listening/events-after.ts'
import { type Receiver, forward } from '../listening/forward.ts'
import { type Place, placeOf, webhookSecret } from '../listening/place.ts'

const USUAL_TRIES = 8

export async function run(context: Context): Promise<void> {
  const { around, out } = context
  if (context.has('print-secret')) return out.text(`${webhookSecret(around)}\n`)
  const starts = ['after', 'from-oldest', 'from-now'].filter((name) => context.has(name))
  if (starts.length > 1) throw misuse(`It can begin in one place: --${starts.join(' or --')}.`)
  const forwardTo = targetOf(context.option('forward-to'))
  const types = context.option('events')?.split(',') ?? []
  const tries = countOf(context.option('tries'), { name: 'tries', usual: USUAL_TRIES, most: 1_000 })
  const { key, url, environment } = context.settings()
  const kestrel = new Kestrel({ apiKey: key, baseUrl: url, fetch: tellingFetch(context) })
  const { id: account, name } = await kestrel.account.retrieve({ signal: around.signal })
  const place = forwardTo === null ? null : placeOf(around, { url, account, environment, forwardTo, types })
  const last = await startingPlace(context, kestrel, place).catch((error: unknown) => {
    throw explained(error)
  })
  place?.save(last)
  out.note(`Listening to ${name}, ${environment}, at ${url}. Ctrl-C ends it.`)
  if (forwardTo !== null)
    out.note(`Passed on to ${shownUrl(forwardTo)}, signed: listen --print-secret prints the secret.`)
  const receiver = forwardTo === null ? null : receiverFor(context, forwardTo, tries)
  try {
    for await (const event of eventsAfter(kestrel, last, around.signal)) {
      const isWanted = types.length === 0 || types.includes(event.type)
      if (isWanted) await handle(context, event, receiver)
      if (around.signal.aborted) return
      place?.save(event.id)
    }
  } catch (error) {
    if (!around.signal.aborted) throw explained(error)
  }
}

async function startingPlace(context: Context, kestrel: Kestrel, place: Place | null): Promise<string | null> {
  const { out, around } = context
  const given = context.option('after')
  // Looked up before it takes the place of the one that is kept.
  if (given !== undefined) return (await kestrel.events.retrieve(given, { signal: around.signal })).id
  if (context.has('from-oldest')) return null
  const kept = context.has('from-now') ? undefined : place?.last()
  if (kept === undefined) return newestEvent(kestrel, around.signal)
  out.note(`Going on after ${kept ?? 'the beginning'}; --from-now leaves out what has happened since.`)
  return kept
}

async function handle(context: Context, event: Event, receiver: Receiver | null): Promise<void> {
  const { out, around } = context
  const about = `${event.occurred_at}  ${event.type.padEnd(20)}  ${event.subject.id}`
  if (receiver === null) return out.line(event, about)
  const { isTaken, tries, answer } = await forward(event, receiver)
  if (around.signal.aborted && !isTaken) return
  const told = { event_id: event.id, type: event.type, subject_id: event.subject.id, taken: isTaken, answer, tries }
  if (!isTaken && !context.has('skip-failed')) throw notTaken(event, { answer, tries })
  out.line(told, `${about}  ${isTaken ? answer : `given up: ${answer}`}${tries > 1 ? ` (try ${tries})` : ''}`)
}

function receiverFor({ around, out }: Context, url: string, tries: number): Receiver {
  return {
    url,
    secret: webhookSecret(around),
    tries,
    fetch: around.fetch,
    signal: around.signal,
    onFailure: (why, nth, waitMs) => {
      const next = waitMs === null ? 'that was the last try' : `again in ${waitMs / 1_000} s`
      out.note(`The receiver did not take it: ${why} (try ${nth} of ${tries}, ${next})`)
    },
  }
}

function notTaken(event: Event, { answer, tries }: { answer: string; tries: number }): Failure {
  return new Failure(`The receiver did not take ${event.type} ${event.id} in ${tries} tries: ${answer}.`, {
    exit: EXIT.refused,
    code: 'not_taken',
    hints: ['Start it again: it goes on with this event. --skip-failed passes over such events.'],
    more: { event_id: event.id, answer, tries },
  })
}

function targetOf(text: string | undefined): string | null {
  if (text === undefined) return null
  // `localhost:4400/hook` is a URL of the scheme `localhost:`; one means http.
  const full = /^(localhost|\d+\.\d+\.\d+\.\d+):\d+/.test(text) ? `http://${text}` : text
  const url = URL.canParse(full) ? new URL(full) : null
  // The place is kept under it, and a password is nothing for a file of places. It is not repeated either.
  if (url !== null && url.username + url.password !== '') throw misuse('--forward-to takes no name and password.')
  if (url !== null && /^https?:$/.test(url.protocol)) return full
  throw misuse(`--forward-to is an address such as http://localhost:4400/, and not "${text}".`)
}

/** Without what somebody may have put before the @. */
function shownUrl(text: string): string {
  const { origin, pathname } = new URL(text)
  return origin + pathname
}

/** Says when the stream broke and when it stands again: the SDK goes on by itself. */
function tellingFetch({ around, out }: Context): typeof fetch {
  let isLost = false
  return async (...call) => {
    const isStream = typeof call[0] === 'string' && call[0].includes('/v1/stream')
    try {
      const answer = await around.fetch(...call)
      if (isStream && isLost && answer.ok) {
        isLost = false
        out.note('The service is back.')
      }
      return answer
    } catch (error) {
      if (isStream && !isLost && !around.signal.aborted) {
        isLost = true
        out.note('The service does not answer. It is tried again until it does.')
      }
      throw error
    }
  }
}

function explained(error: unknown): unknown {
  if (!(error instanceof ApiError) || !error.is('not_found')) return error
  return new Failure('The event to go on after is not known any more: they are kept for 90 days.', {
    exit: EXIT.refused,
    code: 'not_found',
    hints: ['--from-oldest begins with the oldest that is kept, --from-now with what happens next.'],
  })
}
