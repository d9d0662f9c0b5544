// Everything that an invoice on paper says, ready to be printed.
import type { Operator } from '../core/operator.ts'

export interface InvoiceFacts {
  readonly number: string
  /** A rehearsal is an invoice of the sandbox: it was never issued, and nothing is to be paid. */
  readonly status: 'issued' | 'paid' | 'void' | 'rehearsal'
  /** Such as October 2026. */
  readonly month: string
  readonly issuedAt: Date
  readonly issued: string
  /** Null when it comes to nothing: then nothing is to be paid. */
  readonly due: string | null
  readonly paid: string | null
  readonly operator: Operator
  readonly partner: {
    readonly name: string
    readonly address: readonly string[]
    readonly email: string | null
    readonly vatNumber: string | null
    readonly logo: Uint8Array | null
    readonly color: string | null
  }
  readonly lines: readonly {
    readonly description: string
    readonly quantity: string
    readonly unitPrice: string
    readonly amount: string
  }[]
  readonly total: string
  /** The wallet's month: name and USDC. */
  readonly wallet: readonly (readonly [name: string, usdc: string])[]
}
