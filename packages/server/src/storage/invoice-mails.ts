// Invoices that are still to be mailed.
import type { InvoiceRow } from './invoices.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface InvoiceToMail {
  readonly partnerId: string
  readonly id: string
  readonly number: string
  /** How often mailing has failed. */
  readonly attempts: number
}

const WAITING = statement(
  'invoices_to_mail',
  `select partner_id as "partnerId", id, number, mail_attempts as attempts from invoices
    where mailed_at is null and number is not null and (mail_after is null or mail_after <= $1)
    order by issued_at, number`,
)

/** All of them, oldest first: one that cannot be made must not hold up those behind it. */
export function listInvoicesToMail(db: Db, now: Date): Promise<InvoiceToMail[]> {
  return db.query(WAITING, [now])
}

const PUT_OFF = statement(
  'put_off_invoice_mail',
  `update invoices set mail_attempts = mail_attempts + 1, mail_after = $3
    where partner_id = $1 and id = $2 and mailed_at is null`,
)

export function putOffInvoiceMail(tx: Tx, invoice: { partnerId: string; id: string }, until: Date): void {
  tx.defer(PUT_OFF, [invoice.partnerId, invoice.id, until])
}

const CLAIM = statement(
  'claim_invoice_mail',
  'update invoices set mailed_at = $3 where partner_id = $1 and id = $2 and mailed_at is null returning status',
)

/** The invoice's status now; null when another worker has written the mail meanwhile. */
export async function claimInvoiceMail(
  tx: Tx,
  invoice: { partnerId: string; id: string },
  at: Date,
): Promise<InvoiceRow['status'] | null> {
  const [claimed] = await tx.query<Pick<InvoiceRow, 'status'>>(CLAIM, [invoice.partnerId, invoice.id, at])
  return claimed?.status ?? null
}
