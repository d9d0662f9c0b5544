// Serves one endpoint until nothing is due. From a receiver that answers well and at once, more is taken ahead than is sent at the
// same time, so that the next goes out with each answer, and what was answered is recorded together; a slow one only fills its
// own places.
import { monotonicMs, sleep } from '../../core/clock.ts'
import { newId } from '../../core/ids.ts'
import type { EndpointRow } from '../../storage/webhook-endpoints.ts'
import type { Deps } from '../deps.ts'
import { disableEndpoint, lookAfterFailing } from './failing-endpoints.ts'
import type { Holding } from './holdings.ts'
import { type Answered, MOST_AT_ONCE, heardOf, isWorking, recordAndClaim, withBodies } from './record-and-claim.ts'
import { type LineOptions, WaitingLine } from './waiting-line.ts'

const MOST_AHEAD = 256
/** A receiver is quick when none of its answers took longer: what is taken ahead is sent well before it is stale. */
const QUICK_MS = 250
/** A receiver that answers at once has answered them all by then, and one transaction records them. */
const GATHER_MS = 4
/** Whoever has looked for news so lately looks again soon. */
const LATELY_MS = 150
/** While there is more to send, nobody waits for the transaction. */
const GATHER_AHEAD_MS = 25
/** Together no longer than a lease: after it, whatever was answered is not ours to record. */
const PAUSES_MS = [200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]

export interface Serving {
  /** Resolves when nothing is due any more. */
  readonly over: Promise<void>
  /** Something more may be due: looks again, unless every place is taken. */
  wake(): void
  /** How many attempts. */
  underWay(): number
  /** Whether it makes deliveries of what happens by itself, with each transaction. */
  makes(): boolean
}

export interface ServingOptions extends Omit<LineOptions, 'onTurn'> {
  /** What this process holds for the endpoint. */
  readonly holding: Holding
}

export function serveEndpoint(deps: Deps, endpoint: EndpointRow, options: ServingOptions): Serving {
  const { places, holding, stopping, leaving, onError } = options
  const leaseToken = newId(deps.clock.now())
  let goOn = () => {}
  let [most, mayTakeMore] = [MOST_AT_ONCE, true]
  let lookedAtMs = -Infinity
  const line = new WaitingLine(deps, endpoint, { ...options, onTurn: () => goOn() })

  /**
   * It may have been committed all the same: what it took is then known to nobody, and is never taken by the same twice. Whoever
   * serves the endpoint next takes it when its lease ends, so this one soon ends.
   */
  const onFailedTurn = (error: unknown): void => {
    mayTakeMore = false
    onError(error)
  }

  /** Records what was answered, and takes so many that those unfinished are `most`. */
  async function step(): Promise<void> {
    const { answered, unsent } = line.handOver()
    const underWay = line.unfinished - answered.length
    // What this transaction records makes room for what it takes: otherwise a line with a small share would end with each.
    holding.keep({ deliveries: underWay, bytes: line.bytes, expected: 0 })
    const isOpen = places.left() > 0 && !stopping.aborted && mayTakeMore
    const mayTake = isOpen ? Math.max(0, Math.min(most - underWay, holding.room())) : 0
    holding.keep({ deliveries: underWay + mayTake, bytes: line.bytes, expected: mayTake })
    const turn = { leaseToken, answered, unsent, underWay, mayTake }
    // With nothing to lose, the next round comes all the same.
    const pausesMs = line.unfinished + unsent.length === 0 ? [] : PAUSES_MS
    const record = () => recordAndClaim(deps, endpoint, turn)
    const taken = await untilItWorks(record, { leaving, onError: onFailedTurn, pausesMs })
    line.recorded(answered)
    if (mayTake > 0) lookedAtMs = monotonicMs()
    const found = () => withBodies(deps, endpoint, taken)
    line.add(await untilItWorks(found, { leaving, onError, pausesMs: PAUSES_MS }))
    holding.keep({ deliveries: line.unfinished, bytes: line.bytes, expected: 0 })
    // What was taken before goes where the endpoint is now, with the secrets that it has now.
    line.sendTo(taken.endpoint?.status === 'active' ? taken.endpoint : null, taken.atOnce)
    line.sendNext()
    most = mostAfter(answered, most)
    if (taken.endpoint !== null) await lookAfter(deps, taken.endpoint, taken.answered).catch(onError)
  }

  async function serve(): Promise<void> {
    // When leaving, whatever was taken is recorded or given back, so that another goes on at once.
    while (!leaving.aborted || line.unfinished > 0) {
      if (line.underWay.size === 0) await places.wait(stopping)
      if (line.unfinished === 0) await holding.wait(stopping)
      const turned = new Promise<void>((resolve) => (goOn = resolve))
      await step()
      if (line.answered > 0 && (line.waiting === 0 || !line.isOpen)) continue
      if (line.unfinished === 0) return
      // Others were quicker, or it took too long: what waits is sent or given back.
      if (line.underWay.size + line.answered === 0) continue
      if (line.answered === 0) await Promise.race([...line.underWay, turned])
      if (line.waiting > 0) await Promise.race([turned, sleep(GATHER_AHEAD_MS, leaving)])
      else await Promise.race([Promise.all(line.underWay), sleep(GATHER_MS, leaving)])
    }
  }

  const turnOn = () => goOn()
  for (const ending of [stopping, leaving]) ending.addEventListener('abort', turnOn)
  return {
    over: serve().finally(() => {
      holding.end()
      for (const ending of [stopping, leaving]) ending.removeEventListener('abort', turnOn)
    }),
    wake: () => {
      if (line.unfinished < MOST_AT_ONCE) goOn()
    },
    underWay: () => line.underWay.size,
    makes: () => monotonicMs() - lookedAtMs < LATELY_MS,
  }
}

/** Twice as many while every answer is good and quick, and no more than are sent at once as soon as one is not. */
function mostAfter(answered: readonly Answered[], most: number): number {
  const heard = heardOf(answered)
  if (heard.length === 0) return most
  const isQuick = heard.every(({ verdict }) => verdict.isDelivered && verdict.result.ms <= QUICK_MS)
  return isQuick ? Math.min(MOST_AHEAD, most * 2) : MOST_AT_ONCE
}

/** Answers that have come are not lost by a database that is away for a while. */
async function untilItWorks<T>(
  step: () => Promise<T>,
  { leaving, onError, pausesMs }: Pick<ServingOptions, 'leaving' | 'onError'> & { pausesMs: readonly number[] },
): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await step()
    } catch (error) {
      if (leaving.aborted) throw error
      onError(error)
    }
    await sleep(pauseMs, leaving)
  }
  return step()
}

async function lookAfter(deps: Deps, endpoint: EndpointRow, answered: readonly Answered[]): Promise<void> {
  const heard = heardOf(answered)
  const reason = heard.find(({ verdict }) => verdict.disable !== null)?.verdict.disable ?? null
  if (reason !== null) await disableEndpoint(deps, endpoint, reason)
  else if (heard.length > 0 && !isWorking(heard)) await lookAfterFailing(deps, endpoint)
}
