// What follows from one attempt: for the delivery, and for the endpoint.
import { after } from '../../core/clock.ts'
import type { WebhookAnswer } from '../../outbound/send-webhook.ts'
import type { AttemptResult } from '../../storage/webhook-deliveries.ts'
import type { DisabledReason } from '../../storage/webhook-endpoints.ts'
import { waitAfter, wishedWait } from './delivery-schedule.ts'

export interface AttemptVerdict {
  readonly result: AttemptResult
  readonly isDelivered: boolean
  /** It could not even be sent, which says nothing of the receiver. */
  readonly isOurs: boolean
  /** The receiver asks to be left alone until then. */
  readonly quietUntil: Date | null
  /** Null: the endpoint stays as it is. */
  readonly disable: DisabledReason | null
}

const GONE = 410

/** @param attempts How many there are with this one. */
export function decideAttempt(
  answer: WebhookAnswer,
  { attempts, at, now }: { attempts: number; at: Date; now: Date },
): AttemptVerdict {
  const isDelivered = answer.status !== null && answer.status >= 200 && answer.status < 300
  const wish = answer.wish?.trim().toLowerCase()
  const disable: DisabledReason | null = wish === 'disable' ? 'asked' : answer.status === GONE ? 'gone' : null
  const isOver = disable !== null || wish === 'abort-message'
  const wait = isDelivered || isOver ? null : waitAfter(attempts, answer.retryAfter, now)
  const made = { at, ms: answer.ms, status: answer.status, error: errorOf(answer, isDelivered), answer: answer.answer }
  const quietMs = isDelivered ? 0 : wishedWait(answer.retryAfter, now)
  const quietUntil = quietMs === 0 ? null : after(now, quietMs)
  const verdict = { isDelivered, isOurs: false, disable, quietUntil }
  if (isDelivered) return { ...verdict, result: { ...made, state: 'delivered', nextTryAt: null, endedAt: now } }
  const next =
    wait === null
      ? ({ state: 'failed', nextTryAt: null, endedAt: now } as const)
      : ({ state: 'waiting', nextTryAt: after(now, wait), endedAt: null } as const)
  return { ...verdict, result: { ...made, ...next } }
}

const OURS = { isDelivered: false, isOurs: true, disable: null, quietUntil: null } as const

/** An event that is not kept any more cannot be sent. */
export function forgotten(at: Date): AttemptVerdict {
  const made = { at, ms: 0, status: null, error: 'event_forgotten', answer: '' }
  return { ...OURS, result: { ...made, state: 'failed', nextTryAt: null, endedAt: at } }
}

/** Something broke before there could be an answer. It is tried again as if nobody had answered. */
export function notSent(tried: { attempts: number; at: Date; now: Date }): AttemptVerdict {
  const nothing = { status: null, error: null, ms: 0, answer: '', retryAfter: null, wish: null }
  const { result } = decideAttempt(nothing, tried)
  return { ...OURS, result: { ...result, error: 'not_sent' } }
}

/** The word for what went wrong; null when it was delivered. */
export function errorOf({ status, error }: WebhookAnswer, isDelivered: boolean): string | null {
  if (isDelivered) return null
  if (status === null) return error
  return status >= 300 && status < 400 ? 'redirect' : 'http_status'
}
