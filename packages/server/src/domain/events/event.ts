// An event with its subject as it was then.
import type { Environment, EventType, InvoiceStatus } from '@kestrel/contract'

import type { InvoiceLineRow, InvoiceRow } from '../../storage/invoices.ts'
import type { ShownKey } from '../../storage/spending-limits.ts'
import type { MemberWithLimits } from '../members/member-limits.ts'
import type { Payout } from '../payouts/payout.ts'

export interface Event {
  readonly id: string
  readonly type: EventType
  readonly environment: Environment
  readonly occurredAt: Date
  readonly subject: Subject
  /** 1, 2, 3 … of its subject. */
  readonly sequence: number
  readonly requestId: string | null
  /** 1, 2, 3 … in its wallet, committed in this order: a reader that goes on from one misses nothing. */
  readonly position: bigint
}

interface Invoice extends Omit<InvoiceRow, 'status'> {
  readonly status: InvoiceStatus
  readonly lines: readonly InvoiceLineRow[]
}

export type Subject =
  | { readonly object: 'payout'; readonly id: string; readonly payout: Payout }
  | { readonly object: 'invoice'; readonly id: string; readonly invoice: Invoice }
  | { readonly object: 'api_key'; readonly id: string; readonly key: ShownKey }
  | { readonly object: 'member'; readonly id: string; readonly member: MemberWithLimits }
  | {
      readonly object: 'deposit' | 'account' | 'webhook_endpoint'
      readonly id: string
      /** As its own GET shows it. */
      readonly data: Readonly<Record<string, unknown>>
    }
