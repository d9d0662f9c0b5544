import { UsageError } from '../errors.ts'
import type { Operations } from '../generated/operations.ts'
import type {
  CreatePayoutRequest,
  Payout,
  PayoutCreated,
  PayoutDayList,
  PayoutList,
  PayoutPause,
  PayoutSummary,
  PayoutTimeline,
} from '../generated/types.ts'
import type { Usdc } from '../money.ts'
import { Pages } from '../pages.ts'
import type { CallOptions, Transport } from '../transport.ts'
import { type WaitOptions, waitUntilFinal } from '../wait-until-final.ts'

export interface CreatePayoutOptions extends CallOptions {
  /** Your name for this one payout, such as `Kestrel.keyFor('order', 1042)`. The same key never pays twice. */
  readonly idempotencyKey: string
  /** Refuse the payout if the wallet would send more than this. */
  readonly maxWalletDebitUsdc?: Usdc | undefined
}

export type PayoutQuery = NonNullable<Operations['GET /v1/payouts']['query']>
type Figures = NonNullable<Operations['GET /v1/payouts/summary']['query']>

const A_KEY = /^[A-Za-z0-9_\-:.]{8,100}$/

export class Payouts {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Pays. When it fails, the error's `nothingWasSent` says whether money may have left; then repeat with the same key. */
  async create(body: CreatePayoutRequest, options: CreatePayoutOptions): Promise<PayoutCreated> {
    const { idempotencyKey, maxWalletDebitUsdc, ...rest } = options ?? {}
    if (typeof idempotencyKey !== 'string' || !A_KEY.test(idempotencyKey)) {
      throw new UsageError(
        "payouts.create() needs { idempotencyKey }: 8 to 100 letters, digits, or _ - : . that name this one payout, such as Kestrel.keyFor('order', 1042).",
      )
    }
    const headers = maxWalletDebitUsdc === undefined ? {} : { 'Max-Wallet-Debit-USDC': maxWalletDebitUsdc }
    return this.#transport.json('POST /v1/payouts', { body, idempotencyKey, headers }, rest)
  }

  retrieve(id: string, options?: CallOptions): Promise<Payout> {
    return this.#transport.json('GET /v1/payouts/{id}', { path: { id } }, options)
  }

  /** The newest first. */
  list(query: PayoutQuery = {}, options?: CallOptions): Pages<Payout, PayoutList> {
    return new Pages((page) => this.#transport.json('GET /v1/payouts', { query: { ...query, ...page } }, options))
  }

  /** Stops it, if the bank has not taken its money yet. */
  cancel(id: string, options?: CallOptions): Promise<Payout> {
    const input = { path: { id }, isRepeatable: true, concernsPayout: true }
    return this.#transport.json('POST /v1/payouts/{id}/cancel', input, options)
  }

  timeline(id: string, options?: CallOptions): Promise<PayoutTimeline> {
    return this.#transport.json('GET /v1/payouts/{id}/timeline', { path: { id } }, options)
  }

  /** A PDF. */
  receipt(id: string, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>> {
    return this.#transport.bytes('GET /v1/payouts/{id}/receipt.pdf', { path: { id } }, options)
  }

  summary(query: Figures = {}, options?: CallOptions): Promise<PayoutSummary> {
    return this.#transport.json('GET /v1/payouts/summary', { query }, options)
  }

  daily(
    query: NonNullable<Operations['GET /v1/payouts/daily']['query']> = {},
    options?: CallOptions,
  ): Promise<PayoutDayList> {
    return this.#transport.json('GET /v1/payouts/daily', { query }, options)
  }

  /** A CSV file. */
  exportCsv(
    query: NonNullable<Operations['GET /v1/payouts/export.csv']['query']> = {},
    options?: CallOptions,
  ): Promise<string> {
    return this.#transport.text('GET /v1/payouts/export.csv', { query }, options)
  }

  /** Stops all new payouts of the environment until an admin resumes them in the dashboard. */
  pause(options?: CallOptions): Promise<PayoutPause> {
    return this.#transport.json('POST /v1/payouts/pause', { isRepeatable: true }, options)
  }

  #read(id: string, options: CallOptions): Promise<Payout> {
    return this.#transport.json('GET /v1/payouts/{id}', { path: { id }, concernsPayout: true }, options)
  }

  /** Resolves once it is neither `pending` nor `processing`. One that is `completed` may still be returned, days later. */
  waitUntilFinal(id: string, options: WaitOptions = {}): Promise<Payout> {
    return waitUntilFinal((each, how) => this.#read(each, how), id, options)
  }
}
