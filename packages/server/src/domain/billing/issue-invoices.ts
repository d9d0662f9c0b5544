// Issues the invoices of months that are over: one per partner and month, however often and by however many workers.
import { assert } from '../../core/assert.ts'
import { dueDate, lastMonthToBill } from '../../core/billing-calendar.ts'
import { AppError } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { type Month, lastMomentOf, londonMonth } from '../../core/london-month.ts'
import { type Pence, exactly, sumPence } from '../../core/money.ts'
import { planAt } from '../../core/plan.ts'
import { type Charge, type ChargeSum, insertCharges, postInvoiceLines, sumCharges } from '../../storage/charges.ts'
import {
  type InvoiceLineRow,
  type MissingInvoice,
  hasInvoice,
  insertInvoice,
  listMissingInvoices,
  nextInvoiceNumber,
} from '../../storage/invoices.ts'
import { lockWallet } from '../../storage/ledger.ts'
import { readTerm } from '../../storage/partners.ts'
import { listPlans } from '../../storage/plans.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { invoiceLines } from './invoice-lines.ts'
import { noteInvoice } from './note-invoice.ts'

/** A month before there was anything to bill. */
const FIRST_MONTH = '2020-01' as Month

export interface IssuedInvoice {
  readonly slug: string
  readonly id: string
  readonly number: string
  readonly month: Month
  readonly total: Pence
}

type BillingDeps = Pick<Deps, 'db' | 'clock'>

/** Returns the invoices that this run issued. A partner that has one for the month keeps it. */
export async function issueInvoices(deps: BillingDeps, month: Month): Promise<IssuedInvoice[]> {
  if (month >= londonMonth(deps.clock.now())) {
    throw new AppError(
      'invalid_request',
      `${month} is not over yet. Invoices are made from the 1st of the next month on.`,
    )
  }
  return issueAll(deps, await listMissingInvoices(deps.db, month, month))
}

/** Issues every invoice that should exist by now, oldest month first: on the 1st, and after any standstill. */
export async function issueDueInvoices(deps: BillingDeps): Promise<IssuedInvoice[]> {
  return issueAll(deps, await listMissingInvoices(deps.db, FIRST_MONTH, lastMonthToBill(deps.clock.now())))
}

async function issueAll(deps: BillingDeps, missing: readonly MissingInvoice[]): Promise<IssuedInvoice[]> {
  const issued: IssuedInvoice[] = []
  const failed: { which: string; cause: unknown }[] = []
  for (const each of missing) {
    try {
      const invoice = await deps.db.inTransaction((tx) => issueInvoice(tx, each, deps.clock.now()))
      if (invoice !== null) issued.push(invoice)
    } catch (cause) {
      failed.push({ which: `${each.slug} for ${each.month}`, cause })
    }
  }
  // One partner's trouble holds up nobody else's invoice, and is still reported.
  const [first] = failed
  if (first === undefined) return issued
  throw new Error(
    `${failed.length} of ${missing.length} invoices could not be cut: ${failed.map(({ which }) => which).join(', ')}.`,
    { cause: first.cause },
  )
}

/**
 * Null when another process has issued it meanwhile. The wallet's lock keeps new charges out until the month is closed;
 * the lock of the invoice numbers comes after it, and no lock after that.
 */
async function issueInvoice(tx: Tx, missing: MissingInvoice, issuedAt: Date): Promise<IssuedInvoice | null> {
  const { partnerId, slug, month } = missing
  await lockWallet(tx, { partnerId, environment: 'live' })
  if (await hasInvoice(tx, partnerId, month)) return null
  const id = newId(issuedAt)
  const [{ verifiedAt, closedAt }, plans] = await Promise.all([readTerm(tx, partnerId), listPlans(tx, partnerId)])
  const at = lastMomentOf(month)
  const isAfterClosing = closedAt !== null && londonMonth(closedAt) < month
  const monthlyAccount = isAfterClosing ? null : planAt(plans, at).monthlyAccount
  if (monthlyAccount !== null) {
    const charge: Charge = { cause: id, kind: 'monthly_account', amount: exactly(monthlyAccount), cost: null }
    insertCharges(tx, partnerId, { charges: [charge], month, at })
  }
  const charges = await sumCharges(tx, partnerId, month)
  assert(
    isAfterClosing || charges.some(({ kind }) => kind === 'monthly_account'),
    'the account of the month is among its charges',
  )
  const lines = invoiceLines({ month, charges, monthlyAccount, verifiedAt })
  const total = sumPence(lines.map((line) => line.amount))
  postInvoiceLines(tx, { partnerId, id }, { lines: beyondWhatIsPosted(lines, charges), at })
  noteInvoice(tx, { id, partnerId, paidAt: null, voidedAt: null }, { type: 'invoice.issued', at: issuedAt })
  const number = await nextInvoiceNumber(tx, londonMonth(issuedAt).slice(0, 4))
  insertInvoice(tx, { partnerId, id, number, month, total, issuedAt, dueAt: dueDate(issuedAt), lines })
  return { slug, id, number, month, total }
}

function beyondWhatIsPosted(lines: readonly InvoiceLineRow[], charges: readonly ChargeSum[]) {
  const posted = new Map(charges.map((sum) => [sum.kind, sum.posted]))
  return lines.map(({ kind, amount }) => ({ kind, amount: amount - (posted.get(kind) ?? 0n) }))
}
