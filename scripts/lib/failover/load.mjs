// Several clients who pay, one order after the other. Each asks again with the same key until it is told that its payout
// exists: what a client has to do, and all that it has to do.
import { setTimeout as pause } from 'node:timers/promises'

const PATIENCE_MS = 15_000
const AGAIN_MS = 200
/** What a service may answer whose database is away, and what it answers to who asks meanwhile. */
const EXPECTED = new Set([200, 201, 409, 429, 502, 503])

export function startLoad({ urls, key, clients, betweenMs, draw, name }) {
  const state = { isOver: false, orders: 0, refused: 0, acknowledged: new Map(), paidAt: [], answers: {}, odd: [] }
  const working = Array.from({ length: clients }, (_, nth) => pay(nth))

  async function pay(nth) {
    while (!state.isOver) {
      const order = `${name}-${(state.orders += 1)}`
      await payOne(order, nth)
      await pause(betweenMs / 2 + draw(betweenMs))
    }
  }

  async function payOne(order, nth) {
    const body = JSON.stringify(orderOf(order, nth))
    for (let attempt = nth; ; attempt += 1) {
      const answer = await ask(urls[attempt % urls.length], { key, order, body })
      state.answers[answer.status] = (state.answers[answer.status] ?? 0) + 1
      if (answer.status === 200 || answer.status === 201) {
        state.acknowledged.set(order, answer.id)
        // Whether it was made by this request or by one whose answer was lost: it is made now, and the client knows.
        state.paidAt.push(Date.now())
        return
      }
      state.refused += 1
      if (answer.status !== 'none' && !EXPECTED.has(answer.status)) state.odd.push({ order, ...answer })
      if (state.odd.length > 1_000) return
      await pause(AGAIN_MS)
    }
  }

  return {
    counted: () => ({ acknowledged: state.acknowledged.size, refused: state.refused }),
    firstPaidAfter: (moment) => state.paidAt.find((at) => at > moment) ?? null,
    longestSilence: (from, to) => {
      const moments = [from, ...state.paidAt.filter((at) => at > from && at <= to), to]
      return Math.max(...moments.slice(1).map((at, nth) => at - moments[nth]))
    },
    /** Every order that was begun is brought to its end. */
    finish: async () => {
      state.isOver = true
      await Promise.all(working)
      return { acknowledged: state.acknowledged, answers: state.answers, odd: state.odd }
    },
  }
}

/** What became of one request; `none` when there was no answer. */
async function ask(url, { key, order, body }) {
  try {
    const reply = await fetch(`${url}/v1/payouts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': order, 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const answer = await reply.json()
    return { status: reply.status, id: answer.id, code: answer.error?.code }
  } catch {
    return { status: 'none' }
  }
}

/** Each client pays a person of its own: an account keeps the name under which it was first paid. */
function orderOf(order, nth) {
  return {
    amount_gbp: '1.00',
    reference: `Order ${order.slice(order.lastIndexOf('-') + 1)}`,
    recipient: {
      first_name: 'Amara',
      last_name: 'Okafor',
      address: { line1: '1 High Street', city: 'Leeds', postal_code: 'LS1 4AP' },
      bank: { bank_name: 'Monzo', sort_code: '040004', account_number: String(12_345_670 + nth) },
    },
  }
}
