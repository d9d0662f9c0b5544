// Pays sellers, and keeps what became of it. Everything that keeps money from leaving twice is in this file.
import { ApiError, Kestrel, KestrelError } from '@kestrel/sdk'

const MONEY_DID_NOT_STAY = new Set(['refused', 'failed', 'cancelled', 'returned'])

/** Whether the seller has still to be paid: nobody has tried, or the money of the last try did not stay with them. */
export function isOwed(order) {
  const last = order.payments.at(-1)
  return last === undefined || MONEY_DID_NOT_STAY.has(last.status)
}

export class Payments {
  #kestrel
  #store
  /** Keys that are being asked for right now. */
  #asked = new Set()

  constructor(kestrel, store) {
    this.#kestrel = kestrel
    this.#store = store
  }

  /** A second click finds the order no longer owed, and does nothing. */
  async pay(orderId) {
    const order = this.#store.state.orders.find(({ id }) => id === orderId)
    if (order === undefined || !isOwed(order)) return
    const payment = this.#begin(order)
    // Before anything is sent: if this process ends now, the next one knows what may have been asked for, and with which key.
    this.#store.save()
    await this.#send(payment)
  }

  /** Asks again where no answer came, with the same key and the same body. That tells, and never pays twice. */
  async askAgain() {
    const unanswered = this.#payments().filter(({ status }) => status === 'sending')
    for (const payment of unanswered) await this.#send(payment)
  }

  /** What happened while the shop was not running. Webhooks are repeated for three days; this does not wait for them. */
  async catchUp() {
    const { lastEvent } = this.#store.state
    if (this.#payments().length === 0) return
    try {
      const since = lastEvent === null ? {} : { after: lastEvent.id }
      let newest = lastEvent
      for await (const event of this.#kestrel.events.list(since)) {
        this.#take(event)
        if (newest === null || event.occurred_at >= newest.at) newest = { id: event.id, at: event.occurred_at }
      }
      // Only now, and never for a webhook: one that came says nothing of an earlier one that did not.
      this.#store.state.lastEvent = newest
      this.#store.save()
    } catch (error) {
      // Kestrel keeps events for 90 days: the last one that we know is older. All that there are will do.
      if (!(error instanceof ApiError && error.is('not_found')) || lastEvent === null) throw error
      this.#store.state.lastEvent = null
      await this.catchUp()
    }
  }

  /** Takes an event in, whether it comes for the first time or again, in order or not. */
  learn(event) {
    this.#take(event)
    this.#store.save()
  }

  #take(event) {
    if (event.subject?.object !== 'payout') return
    const payment = this.#payments().find(({ key }) => key === event.data.idempotency_key)
    if (payment !== undefined) note(payment, event.data, event.sequence)
  }

  /** What was refused was never made, so its key is free. A payout that came to nothing keeps its key: the next one needs its own. */
  #begin(order) {
    const last = order.payments.at(-1)
    if (last?.status === 'refused') return Object.assign(last, { status: 'sending', reason: null })
    const { recipient } = this.#store.state.sellers.find(({ id }) => id === order.seller)
    const tries = order.payments.length + 1
    const payment = {
      key: tries === 1 ? Kestrel.keyFor('shop-order', order.id) : Kestrel.keyFor('shop-order', order.id, 'try', tries),
      body: { amount_gbp: order.amount_gbp, reference: referenceOf(order, tries), recipient },
      status: 'sending',
      // The answer to our request is 0, and events count from 1: what happened later has the higher number.
      sequence: -1,
      reason: null,
      isMoneyBack: false,
    }
    order.payments.push(payment)
    return payment
  }

  async #send(payment) {
    if (this.#asked.has(payment.key)) return
    this.#asked.add(payment.key)
    try {
      const payout = await this.#kestrel.payouts.create(payment.body, { idempotencyKey: payment.key })
      note(payment, payout, 0)
    } catch (error) {
      if (!(error instanceof KestrelError)) throw error
      // It may have been paid: it stays `sending`, and is asked for again.
      if (!error.nothingWasSent) return
      if (payment.sequence === -1) Object.assign(payment, { status: 'refused', reason: error.message })
    } finally {
      this.#asked.delete(payment.key)
    }
    this.#store.save()
  }

  #payments() {
    return this.#store.state.orders.flatMap(({ payments }) => payments)
  }
}

/** An event can come before the answer, twice, or after a later one: only what happened later is news. */
function note(payment, payout, sequence) {
  if (sequence <= payment.sequence) return
  const { status, failure_reason: reason = null, refunded_at: refundedAt = null } = payout
  Object.assign(payment, { status, sequence, reason, isMoneyBack: refundedAt !== null })
}

/** What the seller's bank statement says. In sandbox, some words choose how a payout ends. */
function referenceOf({ id, sandboxEnding }, tries) {
  return tries === 1 && sandboxEnding !== undefined ? sandboxEnding : `Order ${id}`
}
