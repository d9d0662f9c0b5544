// The payouts behind a line of an invoice: one page, or all of them, read as they are needed.
import { readCursor, writeCursor } from '../../core/cursor.ts'
import { notFound } from '../../core/errors.ts'
import type { Month } from '../../core/london-month.ts'
import { type ChargePlace, type ChargedPayout, listChargedPayouts } from '../../storage/charges.ts'
import type { InvoiceLineRow } from '../../storage/invoices.ts'
import type { Deps } from '../deps.ts'
import { EXPORT_PAGE } from '../export-page.ts'
import { readInvoice } from './list-invoices.ts'

export interface InvoicedPage {
  readonly payouts: readonly ChargedPayout[]
  readonly nextCursor: string | null
}

export interface LineAsked {
  readonly partnerId: string
  readonly invoiceId: string
  readonly line: string
}

const BEGINNING: ChargePlace = { at: new Date(0), cause: '00000000-0000-0000-0000-000000000000' }

export async function listInvoicedPayouts(
  deps: Pick<Deps, 'reports' | 'clock'>,
  asked: LineAsked & { cursor: string | null; limit: number },
): Promise<InvoicedPage> {
  const found = await findLine(deps, asked)
  const place = asked.cursor === null ? BEGINNING : placeOf(readCursor(asked.cursor))
  const rows = await readLine(deps, found, place, asked.limit + 1)
  const payouts = rows.slice(0, asked.limit)
  const last = rows.length > asked.limit ? payouts.at(-1) : undefined
  return { payouts, nextCursor: last === undefined ? null : writeCursor(last.at, last.cause) }
}

/** All of them; the next page is read when it is needed. */
export async function invoicedPayoutPages(
  deps: Pick<Deps, 'reports' | 'clock'>,
  asked: LineAsked,
): Promise<{ number: string; pages: AsyncIterable<readonly ChargedPayout[]> }> {
  const found = await findLine(deps, asked)
  return { number: found.number, pages: pagesOf(deps, found) }
}

async function* pagesOf(deps: Pick<Deps, 'reports'>, found: FoundLine): AsyncGenerator<readonly ChargedPayout[]> {
  let place = BEGINNING
  for (;;) {
    const page = await readLine(deps, found, place, EXPORT_PAGE)
    yield page
    const last = page.at(-1)
    if (last === undefined || page.length < EXPORT_PAGE) return
    place = last
  }
}

interface FoundLine {
  readonly partnerId: string
  readonly number: string
  readonly month: Month
  readonly line: InvoiceLineRow
}

async function findLine(deps: Pick<Deps, 'reports' | 'clock'>, asked: LineAsked): Promise<FoundLine> {
  const { partnerId, invoiceId } = asked
  const invoice = await readInvoice(deps, partnerId, invoiceId)
  const line = /^[1-9]\d{0,2}$/.test(asked.line) ? invoice.lines[Number.parseInt(asked.line, 10) - 1] : undefined
  if (line === undefined) throw notFound()
  return { partnerId, number: invoice.number ?? invoice.id, month: invoice.month, line }
}

/** An account or a verification is no payout, so those lines have none. */
function readLine(
  deps: Pick<Deps, 'reports'>,
  { partnerId, month, line }: FoundLine,
  after: ChargePlace,
  limit: number,
): Promise<ChargedPayout[]> {
  return listChargedPayouts(deps.reports, { partnerId, month, kind: line.kind, after, limit })
}

const placeOf = ({ at, id }: { at: Date; id: string }): ChargePlace => ({ at, cause: id })
