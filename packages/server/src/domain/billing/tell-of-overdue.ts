// An invoice is overdue by itself, when its day is over. Once per invoice, that is an event.
import { eachApart } from '../../core/each-apart.ts'
import { isPast } from '../../core/billing-calendar.ts'
import { type InvoiceRow, isUntoldOverdue, listUntoldOverdue } from '../../storage/invoices.ts'
import { lockWallet } from '../../storage/ledger.ts'
import type { Deps } from '../deps.ts'
import { noteInvoice } from './note-invoice.ts'

const MOST_AT_ONCE = 200

export async function tellOfOverdue(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const at = deps.clock.now()
  const due = await listUntoldOverdue(deps.db, at, MOST_AT_ONCE)
  await eachApart(
    due.filter(({ dueAt }) => dueAt !== null && isPast(dueAt, at)),
    (invoice) => tell(deps, invoice, at),
  )
}

/** Under the wallet's lock, where it is paid or made void too, and where another worker would tell of it. */
async function tell({ db }: Pick<Deps, 'db'>, invoice: InvoiceRow, at: Date): Promise<void> {
  await db.inTransaction(async (tx) => {
    await lockWallet(tx, { partnerId: invoice.partnerId, environment: 'live' })
    if (await isUntoldOverdue(tx, invoice)) noteInvoice(tx, invoice, { type: 'invoice.overdue', at })
  })
}
