// Invoices for a month that is over: one a partner and month, however often and by however many this is run.
import { after } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { type Month, londonMidnight, londonMonth, nextMonth } from '../../core/london-month.ts'
import { type Pence, sumPence } from '../../core/money.ts'
import { type BillablePartner, insertInvoice, listBillablePartners } from '../../storage/invoices.ts'
import { readUsage } from '../../storage/usage.ts'
import type { Deps } from '../deps.ts'
import { invoiceLines } from './invoice-lines.ts'

const DUE_AFTER_MS = 14 * 24 * 60 * 60 * 1_000

export interface IssuedInvoice {
  readonly slug: string
  readonly id: string
  readonly total: Pence
}

/** The invoices that this run made; a partner that has one for the month keeps it. */
export async function issueInvoices(deps: Pick<Deps, 'db' | 'clock'>, month: Month): Promise<IssuedInvoice[]> {
  const thisMonth = londonMonth(deps.clock.now())
  if (month >= thisMonth) {
    throw new AppError(
      'invalid_request',
      `${month} is not over yet. Invoices are made from the 1st of the next month on.`,
    )
  }
  const partners = await listBillablePartners(deps.db, londonMidnight(nextMonth(month)))
  const issued: IssuedInvoice[] = []
  for (const partner of partners) {
    const invoice = await issueInvoice(deps, partner, month)
    if (invoice !== null) issued.push(invoice)
  }
  return issued
}

async function issueInvoice(
  deps: Pick<Deps, 'db' | 'clock'>,
  partner: BillablePartner,
  month: Month,
): Promise<IssuedInvoice | null> {
  const { partnerId, slug, verifiedAt } = partner
  const issuedAt = deps.clock.now()
  const usage = await readUsage(deps.db, { partnerId, environment: 'live' }, month)
  const lines = invoiceLines({ month, plan: partner, usage, verifiedAt })
  const total = sumPence(lines.map((line) => line.amount))
  const id = newId(issuedAt)
  const isNew = await deps.db.inTransaction((tx) =>
    insertInvoice(tx, { partnerId, id, month, total, issuedAt, dueAt: after(issuedAt, DUE_AFTER_MS), lines }),
  )
  return isNew ? { slug, id, total } : null
}
