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

export const UNMAILED = 'mailed_at is null and number is not null and (mail_after is null or mail_after <= $1)'

const WAITING = statement(
  'invoices_to_mail',
  `select partner_id as "partnerId", id, number, mail_attempts as attempts from invoices
    where ${UNMAILED}
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

const LOCK = statement(
  'lock_invoice_to_mail',
  `select status, paid_at as "paidAt" from invoices
    where partner_id = $1 and id = $2 and mailed_at is null for no key update`,
)

/** Nobody pays, voids or mails it until the transaction ends. Null when somebody has written the mail meanwhile. */
export async function lockInvoiceToMail(
  tx: Tx,
  invoice: { partnerId: string; id: string },
): Promise<Pick<InvoiceRow, 'status' | 'paidAt'> | null> {
  return (await tx.query<Pick<InvoiceRow, 'status' | 'paidAt'>>(LOCK, [invoice.partnerId, invoice.id]))[0] ?? null
}

const MARK = statement('mark_invoice_mailed', 'update invoices set mailed_at = $3 where partner_id = $1 and id = $2')

/** The caller holds the invoice's lock. */
export function markInvoiceMailed(tx: Tx, invoice: { partnerId: string; id: string }, at: Date): void {
  tx.defer(MARK, [invoice.partnerId, invoice.id, at])
}
