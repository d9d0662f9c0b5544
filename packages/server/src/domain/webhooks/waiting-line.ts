// What one worker has taken from an endpoint: those that wait for their turn, those under way, and the answers that are not recorded.
import { monotonicMs } from '../../core/clock.ts'
import type { EndpointRow } from '../../storage/webhook-endpoints.ts'
import type { Deps } from '../deps.ts'
import { type Way, wayTo } from './attempt.ts'
import { type AttemptVerdict, decideAttempt, forgotten, notSent } from './decide-attempt.ts'
import { type Answered, type Claimed, MOST_AT_ONCE } from './record-and-claim.ts'

/** What was taken and could not be begun by then is given back: an attempt must end before its lease does. */
const FRESH_MS = 8_000
/** So many at most are sent again when a worker is killed: what it had sent, and had not recorded. */
export const MOST_UNRECORDED = 128

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
  /** From then on nobody waits for answers: what is under way ends, and is handed over as unsent. */
  readonly leaving: AbortSignal
  readonly onError: (error: unknown) => void
  /** Something has to be recorded soon, or there is nothing left to send. */
  readonly onTurn: () => void
}

/** What waits, what is under way and what is not recorded, of one endpoint. */
export class WaitingLine {
  /** Attempts. */
  readonly underWay = new Set<Promise<void>>()
  readonly #options: LineOptions
  readonly #sender: ReturnType<typeof createSender>
  readonly #waiting: Claimed[] = []
  /** Begun, and ended by us: whoever is next sends them again. */
  readonly #unanswered: Claimed[] = []
  #answered: Answered[] = []
  #unrecorded = 0
  #bytes = 0
  #atOnce = MOST_AT_ONCE
  /** An answer was not what a working receiver gives: nothing more is begun before it is recorded. */
  #isInDoubt = false

  constructor(deps: Deps, first: EndpointRow, options: LineOptions) {
    this.#options = options
    this.#sender = createSender(deps, first, options)
  }

  get waiting(): number {
    return this.#waiting.length
  }

  get answered(): number {
    return this.#answered.length
  }

  /** Sent or to be sent, and neither recorded nor handed over. */
  get unfinished(): number {
    return this.#unrecorded + this.#waiting.length + this.#unanswered.length
  }

  /** How much text those have that are not answered. */
  get bytes(): number {
    return this.#bytes
  }

  /** Whether what waits may still be sent. */
  get isOpen(): boolean {
    const first = this.#waiting[0]
    const isFresh = first === undefined || monotonicMs() - first.claimedAtMs < FRESH_MS
    return !this.#isInDoubt && !this.#options.stopping.aborted && isFresh
  }

  /** Where they go from now on, and how many at once; null: nowhere, and what waits is handed over as unsent. */
  sendTo(endpoint: EndpointRow | null, atOnce: number): void {
    if (endpoint === null) {
      this.#isInDoubt = true
      return
    }
    this.#sender.goTo(endpoint)
    this.#atOnce = atOnce
  }

  add(claimed: readonly Claimed[]): void {
    this.#waiting.push(...claimed)
    for (const each of claimed) this.#bytes += bytesOf(each)
  }

  /** Begins as many as may be under way. */
  sendNext(): void {
    while (this.#waiting.length > 0 && this.#hasRoom() && this.isOpen) this.#begin(this.#waiting.shift()!)
  }

  /** For the next transaction. Until it is recorded, an answer counts as under way. */
  handOver(): { readonly answered: readonly Answered[]; readonly unsent: readonly Claimed[] } {
    const unsent = [...this.#unanswered.splice(0), ...(this.isOpen ? [] : this.#waiting.splice(0))]
    for (const each of unsent) this.#bytes -= bytesOf(each)
    const answered = this.#answered
    this.#answered = []
    this.#isInDoubt = false
    return { answered, unsent }
  }

  recorded({ length }: readonly Answered[]): void {
    this.#unrecorded -= length
  }

  #hasRoom(): boolean {
    const { places } = this.#options
    return this.underWay.size < this.#atOnce && this.#unrecorded < MOST_UNRECORDED && places.left() > 0
  }

  #begin(claimed: Claimed): void {
    const { places, onTurn } = this.#options
    places.take(1)
    this.#unrecorded += 1
    const sending: Promise<void> = this.#send(claimed).finally(() => {
      places.take(-1)
      this.underWay.delete(sending)
      this.sendNext()
      const isMuch = this.#answered.length >= MOST_UNRECORDED - MOST_AT_ONCE
      if (this.#isInDoubt || this.#waiting.length === 0 || isMuch) onTurn()
    })
    this.underWay.add(sending)
  }

  async #send(claimed: Claimed): Promise<void> {
    const sent = await this.#sender.send(claimed)
    if (sent === null) {
      this.#unrecorded -= 1
      this.#unanswered.push(claimed)
      return
    }
    this.#bytes -= bytesOf(claimed)
    this.#answered.push(sent)
    if (!sent.verdict.isDelivered && !sent.verdict.isOurs) this.#isInDoubt = true
  }
}

const bytesOf = ({ body }: Claimed) => ('text' in body ? (body.text?.length ?? 0) : 0)

type Failing = Pick<LineOptions, 'leaving' | 'onError'>

/** Sends to an endpoint as it was last read. What we ended ourselves comes to null. */
function createSender(deps: Deps, first: EndpointRow, failing: Failing) {
  let endpoint = first
  let way: Way | null = null
  return {
    goTo: (to: EndpointRow): void => {
      ;[endpoint, way] = [to, null]
    },
    send: async (claimed: Claimed): Promise<Answered | null> => {
      const { url } = endpoint
      const go: Way = (message, until) => (way ??= wayTo(deps, endpoint))(message, until)
      const verdict = await tryOnce(deps, go, { claimed, ...failing })
      return verdict === null ? null : { delivery: claimed.delivery, url, verdict }
    },
  }
}

/** Never throws: whatever goes wrong is a failed attempt of this one delivery. Null: we ended it ourselves. */
async function tryOnce(
  deps: Deps,
  way: Way,
  { claimed: { delivery, body }, leaving, onError }: Failing & { claimed: Claimed },
): Promise<AttemptVerdict | null> {
  const at = deps.clock.now()
  const attempts = delivery.attempts + 1
  try {
    if ('error' in body) throw body.error
    if (body.text === null) return forgotten(at)
    const answer = await way({ id: delivery.eventId, body: body.text }, leaving)
    if (answer.error === 'stopped') return null
    return decideAttempt(answer, { attempts, at, now: deps.clock.now() })
  } catch (error) {
    onError(error)
    return notSent({ attempts, at, now: deps.clock.now() })
  }
}
