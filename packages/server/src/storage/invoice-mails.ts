// Which invoices somebody is still to be told of.
import type { InvoiceRow } from './invoices.ts'
import { type Db, type Tx, statement } from './sql.ts'

const WAITING = statement(
  'invoices_to_mail',
  `select partner_id as "partnerId", id, number from invoices where mailed_at is null and number is not null
    order by issued_at, number`,
)

/** All of them, the oldest first: one that cannot be made must not stand in the way of those behind it. */
export function listInvoicesToMail(db: Db): Promise<{ partnerId: string; id: string; number: string }[]> {
  return db.query(WAITING)
}

const CLAIM = statement(
  'claim_invoice_mail',
  'update invoices set mailed_at = $3 where partner_id = $1 and id = $2 and mailed_at is null returning status',
)

/** The status that it has now; null when somebody else has written the mail meanwhile. */
export async function claimInvoiceMail(
  tx: Tx,
  invoice: { partnerId: string; id: string },
  at: Date,
): Promise<InvoiceRow['status'] | null> {
  const [claimed] = await tx.query<Pick<InvoiceRow, 'status'>>(CLAIM, [invoice.partnerId, invoice.id, at])
  return claimed?.status ?? null
}
