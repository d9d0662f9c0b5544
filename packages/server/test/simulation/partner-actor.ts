// A partner that asks, asks again, cancels and looks, and remembers what it was told and when.
import type { CreatePayoutRequest } from '@kestrel/contract'

import { AppError } from '../../src/core/errors.ts'
import { DEFAULT_PLAN } from '../../src/core/plan.ts'
import { pence } from '../../src/core/money.ts'
import { cancelPayout } from '../../src/domain/payouts/follow/cancel-payout.ts'
import { createPayout } from '../../src/domain/payouts/create/create-payout.ts'
import { readPayout } from '../../src/domain/payouts/read/read-payout.ts'
import type { QuoteTerms } from '../../src/domain/quotes/quote.ts'
import { aPayoutBody } from '../support/fixtures.ts'
import { type Process, RAIL } from './processes.ts'
import { Died, type World } from './world.ts'

export interface Heard {
  readonly began: number
  /** Null while there is no answer, and for ever where the process died. */
  ended: number | null
  /** `has`: a payout, with its id. `nothing`: nothing was sent. `wait`: it is under way. Other words are the error’s code. */
  said: string | null
  id: string | null
  readonly isOtherwise: boolean
}

export interface Order {
  readonly key: string
  readonly pounds: string
  readonly heard: Heard[]
}

export class PartnerActor {
  readonly orders: Order[] = []
  /** What went wrong that a program must never say. */
  readonly faults: string[] = []
  readonly scope: { readonly partnerId: string; readonly environment: 'sandbox' }
  readonly #world: World
  readonly #keyId: string
  readonly #terms: QuoteTerms

  constructor(
    world: World,
    partner: { readonly id: string; readonly keyId: string; readonly account: QuoteTerms['account'] },
  ) {
    this.#world = world
    this.#keyId = partner.keyId
    this.scope = { partnerId: partner.id, environment: 'sandbox' }
    const limits = { enabledCountries: ['GB'], smallestPayout: pence(100n), largestPayout: pence(2_000_000n) }
    this.#terms = { ...this.scope, rail: RAIL, account: partner.account, plan: DEFAULT_PLAN, limits }
  }

  ask(process: Process, pounds: string): void {
    const order: Order = { key: `order-${this.orders.length}-of-the-simulation`, pounds, heard: [] }
    this.orders.push(order)
    this.askAgain(process, order)
  }

  askAgain(process: Process, order: Order, pounds = order.pounds): void {
    const isOtherwise = pounds !== order.pounds
    const heard: Heard = { began: this.#world.now, ended: null, said: null, id: null, isOtherwise }
    order.heard.push(heard)
    const body = aPayoutBody({ amount_gbp: pounds, country: 'GB' }) as unknown as CreatePayoutRequest
    this.#begin(async () => {
      const wanted = {
        terms: this.#terms,
        idempotencyKey: order.key,
        body,
        createdVia: 'api',
        createdBy: 'kp',
      } as const
      const spender = { id: this.#keyId, isLimited: false }
      try {
        const { payout } = await createPayout(process.deps, {
          ...wanted,
          keyId: this.#keyId,
          assumed: null,
          spender,
          mostToSend: null,
        })
        Object.assign(heard, { said: 'has', id: payout.id })
      } catch (error) {
        heard.said = wordOf(error)
      }
      heard.ended = this.#world.now
    })
  }

  cancel(process: Process, id: string): void {
    this.#begin(async () => {
      await cancelPayout(process.deps, this.scope, { id }).catch(wordOf)
    })
  }

  /** What a payout is called when somebody looks, it is for ever, but for what may follow it. */
  poll(process: Process, id: string): void {
    this.#begin(async () => {
      await readPayout(process.deps, this.scope, id)
    })
  }

  #begin(task: () => Promise<void>): void {
    this.#world.begin(() =>
      task().catch((error: unknown) => {
        if (!(error instanceof Died)) this.faults.push(`a request failed: ${String(error)}`)
      }),
    )
  }
}

function wordOf(error: unknown): string {
  if (!(error instanceof AppError)) throw error
  if (error.code === 'idempotency_key_in_progress') return 'wait'
  return error.message.includes('Nothing was sent.') ? 'nothing' : error.code
}
