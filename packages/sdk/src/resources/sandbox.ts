import type { Operations } from '../generated/operations.ts'
import type {
  AdvanceRequest,
  Advanced,
  Payout,
  RehearsalInvoice,
  SandboxReset,
  SimulateRequest,
  TopUp,
  TopUpRequest,
} from '../generated/types.ts'
import type { CallOptions, Transport } from '../transport.ts'

type RehearsalQuery = NonNullable<Operations['GET /v1/sandbox/invoice']['query']>

/** What only a sandbox can do: a live key finds none of it. */
export class Sandbox {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Makes a payout end as you say. */
  simulate(payoutId: string, body: SimulateRequest, options?: CallOptions): Promise<Payout> {
    return this.#transport.json('POST /v1/sandbox/payouts/{id}/simulate', { path: { id: payoutId }, body }, options)
  }

  /** Adds test money to the wallet. */
  topUp(body: TopUpRequest, options?: CallOptions): Promise<TopUp> {
    return this.#transport.json('POST /v1/sandbox/top-up', { body }, options)
  }

  /** Lets time pass for your payouts. */
  advance(body: AdvanceRequest, options?: CallOptions): Promise<Advanced> {
    return this.#transport.json('POST /v1/sandbox/advance', { body }, options)
  }

  /** The invoice that a month of the sandbox would give in live. It is never issued or charged. */
  rehearseInvoice(query: RehearsalQuery = {}, options?: CallOptions): Promise<RehearsalInvoice> {
    return this.#transport.json('GET /v1/sandbox/invoice', { query }, options)
  }

  rehearseInvoicePdf(query: RehearsalQuery = {}, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>> {
    return this.#transport.bytes('GET /v1/sandbox/invoice.pdf', { query }, options)
  }

  /** Starts again: nothing under way, no pause, and the test money that you began with. Twice is as good as once. */
  reset(options?: CallOptions): Promise<SandboxReset> {
    return this.#transport.json('POST /v1/sandbox/reset', { isRepeatable: true }, options)
  }
}
