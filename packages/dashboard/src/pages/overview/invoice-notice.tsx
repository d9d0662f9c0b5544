import type { Invoice } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { dueWords, invoiceName } from '../../billing/invoice-words.ts'
import { useScope } from '../../app/session.ts'
import { daysFrom, londonDay, monthName } from '../../format/dates.ts'
import { addMoney, gbp } from '../../format/money.ts'
import { Notice } from '../../parts/card.tsx'
import { invoicesQuery } from '../../server/queries.ts'

/** How long a new invoice is announced. */
const NEW_DAYS = 7

/** Overdue invoices, and a new one. In live only. */
export function InvoiceNotice() {
  const scope = useScope()
  const invoices = useQuery({ ...invoicesQuery(scope), enabled: scope.environment === 'live' })
  if (scope.environment === 'sandbox' || invoices.data === undefined) return null
  const overdue = invoices.data.data.filter(({ status }) => status === 'overdue')
  const fresh = invoices.data.data.find(isNew)
  return (
    <>
      {overdue.length === 0 ? null : <Overdue invoices={overdue} />}
      {fresh === undefined ? null : (
        <Notice tone="info" title={`Your invoice for ${monthName(fresh.period)} is here`}>
          {`${gbp(fresh.total_gbp)}. ${dueWords(fresh, new Date())}. `}
          <InvoiceLink invoice={fresh} />
        </Notice>
      )}
    </>
  )
}

function isNew({ status, issued_at }: Invoice): boolean {
  if (status !== 'issued' || issued_at === null) return false
  return daysFrom(londonDay(new Date(issued_at)), londonDay(new Date())) < NEW_DAYS
}

function Overdue({ invoices }: { invoices: readonly Invoice[] }) {
  const [first] = invoices
  if (first !== undefined && invoices.length === 1) {
    return (
      <Notice tone="bad" title={`Your invoice for ${monthName(first.period)} is overdue`}>
        {`${gbp(first.total_gbp)}. ${dueWords(first, new Date())}. `}
        {first.how_to_pay === null ? null : `Pay to: ${first.how_to_pay} Quote ${invoiceName(first)}. `}
        <InvoiceLink invoice={first} />
      </Notice>
    )
  }
  return (
    <Notice tone="bad" title={`${invoices.length} invoices are overdue`}>
      {`${gbp(addMoney(...invoices.map(({ total_gbp }) => total_gbp)))} in all. `}
      <Link to="/invoices" className="font-medium underline">
        See the invoices
      </Link>
    </Notice>
  )
}

function InvoiceLink({ invoice }: { invoice: Invoice }) {
  return (
    <Link to="/invoices/$id" params={{ id: invoice.id }} className="font-medium underline">
      See {invoiceName(invoice)}
    </Link>
  )
}
