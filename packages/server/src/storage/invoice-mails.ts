// Which invoices somebody is still to be told of.
import { type Db, type Tx, statement } from './sql.ts'

const WAITING = statement(
  'invoices_to_mail',
  `select partner_id as "partnerId", id from invoices where mailed_at is null and number is not null
    order by issued_at limit $1`,
)

export function listInvoicesToMail(db: Db, most: number): Promise<{ partnerId: string; id: string }[]> {
  return db.query(WAITING, [most])
}

const CLAIM = statement(
  'claim_invoice_mail',
  'update invoices set mailed_at = $3 where partner_id = $1 and id = $2 and mailed_at is null returning 1 as claimed',
)

/** False when somebody else has written the mail meanwhile. */
export async function claimInvoiceMail(tx: Tx, invoice: { partnerId: string; id: string }, at: Date): Promise<boolean> {
  return (await tx.query(CLAIM, [invoice.partnerId, invoice.id, at])).length === 1
}
