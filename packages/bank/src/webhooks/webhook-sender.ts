// Sends the deliveries that are due, many at once, and writes down how each went. Nothing is only in memory: another
// process, or this one restarted, goes on where this one ended.
import { createHash } from 'node:crypto'
import { setMaxListeners } from 'node:events'

import { after } from '../core/clock.ts'
import { newId } from '../core/ids.ts'
import { inBatches } from '../core/in-batches.ts'
import type { BankDeps } from '../domain/bank-deps.ts'
import type { Fault, FaultBoard, WebhookFault } from '../faults/fault-board.ts'
import { eventText } from '../present/present-webhook.ts'
import {
  type Attempt,
  type AttemptResult,
  type ClaimedDelivery,
  claimDeliveries,
  recordAttempts,
  releaseDelivery,
} from '../storage/deliveries.ts'
import { type PostResult, postEvent } from './post-event.ts'
import { nextAttempt } from './retry-schedule.ts'
import { signWebhook } from './sign-webhook.ts'
import { SigningKeys } from './signing-keys.ts'

const MOST_AT_ONCE = 128
/** Looking for what is due costs more than sending it, so it is done for many. */
const FEWEST_TO_LOOK_FOR = MOST_AT_ONCE / 2
/** Attempts end one by one, and are written down together. The next event about the same object waits so much longer. */
const WRITTEN_EVERY_MS = 40
/** Longer than any attempt: two at most, of five seconds each. */
const LEASE_MS = 15_000
const DEFAULT_DELAY_MS = 5_000
/** A little more than the ten minutes after which receivers are told to refuse. */
const STALE_BY_MS = 11 * 60 * 1_000

export interface SenderHooks {
  /** Called when there is room for more: the next event about the same object may be due now. */
  readonly onRoom: () => void
  readonly onError: (error: unknown) => void
}

export class WebhookSender {
  readonly #deps: BankDeps
  readonly #faults: FaultBoard
  readonly #hooks: SenderHooks
  readonly #keys: SigningKeys
  readonly #stopping = new AbortController()
  readonly #underWay = new Set<Promise<void>>()
  readonly #record: (attempt: Attempt) => Promise<void>

  constructor(deps: BankDeps, faults: FaultBoard, hooks: SenderHooks) {
    this.#deps = deps
    this.#faults = faults
    this.#hooks = hooks
    this.#keys = new SigningKeys(deps.db)
    // Each message under way hears it. Node takes more than ten for a mistake.
    setMaxListeners(0, this.#stopping.signal)
    const record = async (attempts: readonly Attempt[]) => {
      await recordAttempts(deps.db, attempts)
      return attempts.map(() => undefined)
    }
    this.#record = inBatches({ largest: MOST_AT_ONCE, pauseMs: WRITTEN_EVERY_MS, work: record })
  }

  /** Starts what is due and does not wait for it: a receiver that hangs holds up nobody else. */
  async startDue(): Promise<void> {
    const limit = MOST_AT_ONCE - this.#underWay.size
    if (limit < FEWEST_TO_LOOK_FOR || this.#stopping.signal.aborted) return
    const now = this.#deps.clock.now()
    const claimed = await claimDeliveries(this.#deps.db, { now, limit, lease: newId(), leaseMs: LEASE_MS })
    for (const delivery of claimed) this.#start(delivery)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#underWay)
  }

  #start(delivery: ClaimedDelivery): void {
    const running = this.#deliver(delivery)
      .catch(async (error: unknown) => {
        if (!this.#stopping.signal.aborted) this.#hooks.onError(error)
        await releaseDelivery(this.#deps.db, delivery)
      })
      .catch(this.#hooks.onError)
      .finally(() => {
        this.#underWay.delete(running)
        if (MOST_AT_ONCE - this.#underWay.size >= FEWEST_TO_LOOK_FOR) this.#hooks.onRoom()
      })
    this.#underWay.add(running)
  }

  async #deliver(delivery: ClaimedDelivery): Promise<void> {
    const fault = this.#faults.takeForWebhook()
    if (fault?.mode === 'drop') return this.#settle(delivery, { state: 'done' })
    if (fault?.mode === 'delay' || fault?.mode === 'reorder') {
      const dueAt = after(this.#deps.clock.now(), fault.ms ?? DEFAULT_DELAY_MS)
      return this.#settle(delivery, { dueAt, mayBeOvertaken: fault.mode === 'reorder' })
    }
    if (fault?.mode === 'duplicate') await this.#post(delivery, null)
    const result = await this.#post(delivery, fault)
    await this.#recordResult(delivery, result)
  }

  async #post(delivery: ClaimedDelivery, fault: Fault<WebhookFault> | null): Promise<PostResult> {
    const { webhookId, url, event } = delivery
    const body = eventText(event, this.#deps.identity.developerId)
    const privateKey = await this.#keys.of(webhookId)
    const now = this.#deps.clock.wallTime()
    const at = fault?.mode === 'stale' ? after(now, -STALE_BY_MS) : now
    // A signature over another text: as long as the right one, and made with the right key.
    const signed = fault?.mode === 'bad_signature' ? createHash('sha256').update(body).digest('hex') : body
    const signature = await signWebhook({ privateKey, at, body: signed })
    return postEvent(url, { body, signature }, this.#stopping.signal)
  }

  async #recordResult(delivery: ClaimedDelivery, result: PostResult): Promise<void> {
    const now = this.#deps.clock.now()
    const attempts = delivery.attempts + 1
    const next = nextAttempt({ attempts, firstAttemptAt: delivery.firstAttemptAt ?? now, now })
    const hasArrived = result.status >= 200 && result.status < 300
    const isFinal = result.status === 401 && !this.#deps.readings.is('webhook_401_is_retried')
    const isOver = delivery.isManual || isFinal || next === null
    const state = hasArrived ? 'done' : isOver ? 'given_up' : 'waiting'
    await this.#settle(delivery, { state, attempts, dueAt: next ?? now }, result)
  }

  #settle(delivery: ClaimedDelivery, outcome: Partial<AttemptResult>, answer: PostResult | null = null): Promise<void> {
    const at = this.#deps.clock.now()
    const { attempts } = delivery
    const result = { state: 'waiting', attempts, dueAt: at, mayBeOvertaken: false, at, ...outcome } as const
    return this.#record({ delivery, result, answer })
  }
}
