// What it costs, and what moved.
import type { Operations } from '../generated/operations.ts'
import type {
  Invoice,
  InvoiceList,
  InvoicedPayoutList,
  Statement as StatementAnswer,
  Usage as UsageAnswer,
} from '../generated/types.ts'
import { Pages } from '../pages.ts'
import type { CallOptions, Transport } from '../transport.ts'

export class Invoices {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The last 24, the newest first. */
  list(options?: CallOptions): Pages<Invoice, InvoiceList> {
    return new Pages(() => this.#transport.json('GET /v1/invoices', {}, options))
  }

  retrieve(id: string, options?: CallOptions): Promise<Invoice> {
    return this.#transport.json('GET /v1/invoices/{id}', { path: { id } }, options)
  }

  pdf(id: string, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>> {
    return this.#transport.bytes('GET /v1/invoices/{id}.pdf', { path: { id } }, options)
  }

  exportCsv(id: string, options?: CallOptions): Promise<string> {
    return this.#transport.text('GET /v1/invoices/{id}/lines.csv', { path: { id } }, options)
  }

  /** The payouts behind a line, the oldest first. */
  payouts(
    id: string,
    line: number,
    options?: CallOptions,
  ): Pages<InvoicedPayoutList['data'][number], InvoicedPayoutList> {
    const path = { id, n: String(line) }
    return new Pages((query) =>
      this.#transport.json('GET /v1/invoices/{id}/lines/{n}/payouts', { path, query }, options),
    )
  }

  exportPayoutsCsv(id: string, line: number, options?: CallOptions): Promise<string> {
    const path = { id, n: String(line) }
    return this.#transport.text('GET /v1/invoices/{id}/lines/{n}/payouts.csv', { path }, options)
  }
}

type StatementQuery = NonNullable<Operations['GET /v1/statement']['query']>

export class Statement {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** What moved in the wallet. `page()` has the sums as well. */
  list(query: StatementQuery = {}, options?: CallOptions): Pages<StatementAnswer['data'][number], StatementAnswer> {
    return new Pages((page) => this.#transport.json('GET /v1/statement', { query: { ...query, ...page } }, options))
  }

  exportCsv(
    query: NonNullable<Operations['GET /v1/statement.csv']['query']> = {},
    options?: CallOptions,
  ): Promise<string> {
    return this.#transport.text('GET /v1/statement.csv', { query }, options)
  }
}

export class Usage {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  retrieve(query: NonNullable<Operations['GET /v1/usage']['query']> = {}, options?: CallOptions): Promise<UsageAnswer> {
    return this.#transport.json('GET /v1/usage', { query }, options)
  }
}
