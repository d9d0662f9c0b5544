import type { EventType } from '@kestrel/contract'

import type { InvoiceRow } from '../../storage/invoices.ts'
import { noteEvents } from '../../storage/note-events.ts'
import type { Tx } from '../../storage/sql.ts'

type Standing = Pick<InvoiceRow, 'id' | 'partnerId' | 'paidAt' | 'voidedAt'>

/** Writes an event about an invoice as it is now. What it says never changes. */
export function noteInvoice(
  tx: Tx,
  { id, partnerId, paidAt, voidedAt }: Standing,
  { type, at }: { type: Extract<EventType, `invoice.${string}`>; at: Date },
): void {
  const data = { status: type.slice('invoice.'.length), paid_at: paidAt, voided_at: voidedAt }
  noteEvents(tx, { partnerId, environment: 'live' }, [{ type, subject: { object: 'invoice', id }, data }], at)
}
