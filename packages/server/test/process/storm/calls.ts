// Requests to an API that is killed now and then: whoever gets no answer asks again, with the same idempotency key.
import { aPayoutBody } from '../../support/fixtures.ts'
import { moment } from '../program.ts'

const AGAIN_MS = 60

export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

type Asked = [method: string, path: string, body?: object, headers?: Record<string, string>]

export interface Caller {
  /** Null: nobody answered. */
  readonly once: (...asked: Asked) => Promise<Answer | null>
  /** Again and again until it is answered with success. */
  readonly call: <T>(...asked: Asked) => Promise<T>
}

export function createCaller(url: string, apiKey: string): Caller {
  const once: Caller['once'] = async (method, path, body, headers = {}) => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    try {
      const reply = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, ...json, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: reply.status, body: (await reply.json()) as Answer['body'] }
    } catch {
      return null
    }
  }
  return {
    once,
    call: async <T>(...asked: Asked) => {
      for (;;) {
        const answer = await once(...asked)
        if (answer !== null && answer.status < 300) return answer.body as T
        // What is refused for good is a fault of the test, or of the service.
        if (answer !== null && answer.status < 500 && ![409, 429].includes(answer.status))
          throw new Error(`${asked[0]} ${asked[1]} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
        await moment(AGAIN_MS)
      }
    },
  }
}

export const ENDINGS = { settle: 'completed', return: 'returned', fail: 'failed', cancel: 'cancelled' } as const
export type Ending = keyof typeof ENDINGS

/** One payout to its end. Returns its id. */
export async function payOnce({ call, once }: Caller, key: string, ending: Ending): Promise<string> {
  // What is cancelled after it was handed over has its money back when a person has looked: this one cancels itself before.
  const reference = ending === 'cancel' ? 'sandbox:cancel' : 'sandbox:hold'
  const body = aPayoutBody({ amount_gbp: '1.00', reference })
  const { id } = await call<{ id: string }>('POST', '/v1/payouts', body, { 'idempotency-key': key })
  for (;;) {
    if (ending !== 'cancel') await once('POST', `/v1/sandbox/payouts/${id}/simulate`, { outcome: ending })
    // Asked and not believed: whoever was killed may have answered nobody.
    const payout = await call<{ status: string; refunded_at: string | null }>('GET', `/v1/payouts/${id}`)
    const isOver = ending === 'settle' || payout.refunded_at !== null
    if (payout.status === ENDINGS[ending] && isOver) return id
    await moment(AGAIN_MS)
  }
}
