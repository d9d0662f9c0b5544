// What one worker has taken from an endpoint: those that wait for their turn, those under way, and the answers that are not recorded.
import { monotonicMs } from '../../core/clock.ts'
import type { EndpointRow } from '../../storage/webhook-endpoints.ts'
import type { Deps } from '../deps.ts'
import { attempt } from './attempt.ts'
import { type AttemptVerdict, decideAttempt, forgotten, notSent } from './decide-attempt.ts'
import { type Answered, type Claimed, MOST_AT_ONCE } from './record-and-claim.ts'

/** What was taken and could not be begun by then is given back: an attempt must end before its lease does. */
const FRESH_MS = 8_000
/** So many at most are sent again when a worker is killed: what it had sent, and had not recorded. */
export const MOST_UNRECORDED = 32

export interface Places {
  /** Less those that others wait for who came before. */
  left(): number
  /** A negative count gives them back. */
  take(count: number): void
  /** Resolves once there is one for the caller, or nobody wants it any more: whoever waits comes before those who have some. */
  wait(until: AbortSignal): Promise<void>
}

export interface LineOptions {
  readonly places: Places
  /** From then on nothing is begun. */
  readonly stopping: AbortSignal
  readonly onError: (error: unknown) => void
  /** Something has to be recorded soon, or there is nothing left to send. */
  readonly onTurn: () => void
}

export interface WaitingLine {
  /** Where they go from now on, and how many at once; null: nowhere, and what waits is handed over as unsent. */
  sendTo(endpoint: EndpointRow | null, atOnce: number): void
  add(claimed: readonly Claimed[]): void
  /** Begins as many as may be under way. */
  sendNext(): void
  /** For the next transaction. Until it is recorded, an answer counts as under way. */
  handOver(): { readonly answered: readonly Answered[]; readonly unsent: readonly Claimed[] }
  recorded(answered: readonly Answered[]): void
  readonly waiting: () => number
  readonly answered: () => number
  readonly underWay: () => ReadonlySet<Promise<void>>
  /** Sent or to be sent, and not recorded. */
  readonly unfinished: () => number
  /** Whether what waits may still be sent. */
  readonly isOpen: () => boolean
}

export function createLine(
  deps: Deps,
  first: EndpointRow,
  { places, stopping, onError, onTurn }: LineOptions,
): WaitingLine {
  const underWay = new Set<Promise<void>>()
  const waiting: Claimed[] = []
  let answered: Answered[] = []
  let unrecorded = 0
  let [endpoint, atOnce] = [first, MOST_AT_ONCE]
  /** An answer was not what a working receiver gives: nothing more is begun before it is recorded. */
  let isInDoubt = false

  const isFresh = ({ claimedAtMs }: Claimed) => monotonicMs() - claimedAtMs < FRESH_MS
  const isOpen = () => !isInDoubt && !stopping.aborted && (waiting[0] === undefined || isFresh(waiting[0]))
  const hasRoom = () => underWay.size < atOnce && unrecorded < MOST_UNRECORDED && places.left() > 0

  async function send(claimed: Claimed): Promise<void> {
    const { url } = endpoint
    const verdict = await tryOnce(deps, endpoint, { claimed, onError })
    answered.push({ delivery: claimed.delivery, url, verdict })
    if (!verdict.isDelivered && !verdict.isOurs) isInDoubt = true
  }

  function begin(claimed: Claimed): void {
    places.take(1)
    unrecorded += 1
    const sending: Promise<void> = send(claimed).finally(() => {
      places.take(-1)
      underWay.delete(sending)
      sendNext()
      if (isInDoubt || waiting.length === 0 || answered.length >= MOST_UNRECORDED - MOST_AT_ONCE) onTurn()
    })
    underWay.add(sending)
  }

  function sendNext(): void {
    while (waiting.length > 0 && hasRoom() && isOpen()) begin(waiting.shift()!)
  }

  return {
    sendTo: (to, most) => {
      if (to === null) isInDoubt = true
      else [endpoint, atOnce] = [to, most]
    },
    add: (claimed) => void waiting.push(...claimed),
    sendNext,
    handOver: () => {
      const unsent = isOpen() ? [] : waiting.splice(0)
      const heard = answered
      answered = []
      isInDoubt = false
      return { answered: heard, unsent }
    },
    recorded: ({ length }) => void (unrecorded -= length),
    waiting: () => waiting.length,
    answered: () => answered.length,
    underWay: () => underWay,
    unfinished: () => unrecorded + waiting.length,
    isOpen,
  }
}

/** Never throws: whatever goes wrong is a failed attempt of this one delivery. */
async function tryOnce(
  deps: Deps,
  endpoint: EndpointRow,
  { claimed: { delivery, body }, onError }: { claimed: Claimed; onError: (error: unknown) => void },
): Promise<AttemptVerdict> {
  const at = deps.clock.now()
  const attempts = delivery.attempts + 1
  try {
    if ('error' in body) throw body.error
    if (body.text === null) return forgotten(at)
    const answer = await attempt(deps, endpoint, { id: delivery.eventId, body: body.text })
    return decideAttempt(answer, { attempts, at, now: deps.clock.now() })
  } catch (error) {
    onError(error)
    return notSent({ attempts, at, now: deps.clock.now() })
  }
}
