import type { Invoice } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'

import { dueWords, hasPayouts, invoiceName } from '../../billing/invoice-words.ts'
import { Loaded } from '../../app/loaded.tsx'
import { BackLink, buttonClass, Page } from '../../app/page.tsx'
import { useEnvironment, useScope } from '../../app/session.ts'
import { longDay, monthName } from '../../format/dates.ts'
import { gbp } from '../../format/money.ts'
import { count } from '../../format/people.ts'
import { Button } from '../../parts/button.tsx'
import { Card, Notice } from '../../parts/card.tsx'
import { FigureOf, Figures } from '../../parts/figures.tsx'
import { Icon } from '../../parts/icon.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useIsNarrow } from '../../parts/use-media.ts'
import { invoiceCsvAddress, invoicePdfAddress } from '../../server/billing.ts'
import { isNotFound } from '../../server/client.ts'
import { invoiceQuery } from '../../server/queries.ts'
import { InvoiceBadge } from '../../billing/invoice-badge.tsx'
import { BillLines } from '../../billing/bill-lines.tsx'
import { LinePayouts } from './line-payouts.tsx'
import { Paper } from './paper.tsx'
import { WalletMonth } from './wallet-month.tsx'

export function InvoicePage() {
  const environment = useEnvironment()
  return environment === 'sandbox' ? <InSandbox /> : <InLive />
}

function InSandbox() {
  return (
    <Page title="Invoice" back={<BackLink to="/invoices">Invoices</BackLink>}>
      <Card>
        <EmptyState icon="invoices" title="Invoices are issued in live">
          <p>Sandbox is never charged.</p>
          <Link to="." search={(current) => ({ ...current, environment: 'live' })} className={buttonClass()}>
            See it in live
          </Link>
        </EmptyState>
      </Card>
    </Page>
  )
}

function InLive() {
  const { id } = useParams({ from: '/inside/invoices/$id' })
  const query = useQuery(invoiceQuery(useScope(), id))
  const invoice = query.data
  const isMissing = isNotFound(query.error)
  const title = invoice === undefined ? 'Invoice' : `Invoice ${invoiceName(invoice)}`
  return (
    <Page
      title={title}
      heading={<span className="num">{title}</span>}
      back={<BackLink to="/invoices">Invoices</BackLink>}
      sub={invoice === undefined ? undefined : <UnderTitle invoice={invoice} />}
      actions={invoice === undefined || invoice.number === null ? undefined : <Actions invoice={invoice} />}
    >
      {isMissing ? <Missing /> : <Loaded query={query}>{(found) => <Body invoice={found} />}</Loaded>}
    </Page>
  )
}

function UnderTitle({ invoice }: { invoice: Invoice }) {
  return (
    <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
      <InvoiceBadge status={invoice.status} />
      {monthName(invoice.period)}
    </span>
  )
}

/** A phone has no room for a document, and some browsers show none inside a page: there a link opens it. */
function useCanPreview(): boolean {
  const isNarrow = useIsNarrow()
  return !isNarrow && navigator.pdfViewerEnabled
}

function Actions({ invoice }: { invoice: Invoice }) {
  const { environment } = useScope()
  const { preview } = useSearch({ from: '/inside/invoices/$id' })
  const navigate = useNavigate({ from: '/invoices/$id' })
  const canPreview = useCanPreview()
  const pdf = invoicePdfAddress(environment, invoice.id)
  const isShown = preview !== undefined
  const toggle = () =>
    void navigate({
      search: (current) => ({ ...current, preview: isShown ? undefined : 'yes' }),
      replace: true,
      resetScroll: false,
    })
  return (
    <>
      {canPreview ? (
        <Button icon="eye" aria-expanded={isShown} onClick={toggle}>
          Preview
        </Button>
      ) : (
        <a href={pdf} target="_blank" rel="noopener" className={buttonClass()}>
          <Icon name="eye" />
          Open PDF
        </a>
      )}
      <a href={invoiceCsvAddress(environment, invoice.id)} download className={buttonClass()}>
        <Icon name="download" />
        Download CSV
      </a>
      <a href={pdf} download className={buttonClass('primary')}>
        <Icon name="download" />
        Download PDF
      </a>
    </>
  )
}

function Missing() {
  return (
    <Card>
      <EmptyState icon="search" title="There is no such invoice here">
        It may belong to another of your businesses.
        <Link to="/invoices" className={buttonClass()}>
          See all invoices
        </Link>
      </EmptyState>
    </Card>
  )
}

function Body({ invoice }: { invoice: Invoice }) {
  const { environment } = useScope()
  const { line: opened, preview } = useSearch({ from: '/inside/invoices/$id' })
  const navigate = useNavigate({ from: '/invoices/$id' })
  const canPreview = useCanPreview()
  const show = (line: string | undefined) =>
    void navigate({ search: (current) => ({ ...current, line }), replace: true, resetScroll: false })
  const line = invoice.lines.find((each) => String(each.line) === opened && hasPayouts(each))
  const isOnPaper = preview !== undefined && canPreview && invoice.number !== null
  return (
    <>
      {invoice.status === 'overdue' ? <Overdue invoice={invoice} /> : null}
      {isOnPaper ? (
        <Paper name={`Invoice ${invoiceName(invoice)}`} address={invoicePdfAddress(environment, invoice.id)} />
      ) : null}
      <Summary invoice={invoice} />
      <HowToPay invoice={invoice} />
      <Card title="Lines">
        <BillLines
          lines={invoice.lines}
          total={invoice.total_gbp}
          under={(each) =>
            hasPayouts(each) ? <PayoutsButton line={each} isOpen={each === line} onToggle={show} /> : null
          }
        />
      </Card>
      {line === undefined ? null : <LinePayouts invoice={invoice} line={line} onClose={() => show(undefined)} />}
      <WalletMonth period={invoice.period} />
    </>
  )
}

function Overdue({ invoice }: { invoice: Invoice }) {
  return (
    <Notice tone="bad" title={dueWords(invoice, new Date())}>
      It comes to {gbp(invoice.total_gbp)}. Quote {invoiceName(invoice)} when you pay.
    </Notice>
  )
}

function whenToPay({ status, due_at }: Invoice): string {
  if (due_at === null) return ''
  return status === 'overdue' ? `, due since ${longDay(due_at)}` : ` by ${longDay(due_at)}`
}

function HowToPay({ invoice }: { invoice: Invoice }) {
  if (invoice.how_to_pay === null) return null
  return (
    <Card title="How to pay">
      <p className="font-medium break-words">{invoice.how_to_pay}</p>
      <p className="num mt-1 text-muted">
        {gbp(invoice.total_gbp)}
        {whenToPay(invoice)}, with {invoiceName(invoice)} as the reference.
      </p>
    </Card>
  )
}

interface PayoutsButtonProps {
  readonly line: Invoice['lines'][number]
  readonly isOpen: boolean
  readonly onToggle: (line: string | undefined) => void
}

function PayoutsButton({ line, isOpen, onToggle }: PayoutsButtonProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      className="inline-flex items-center gap-1 py-0.5 touch:py-3 font-medium text-accent underline-offset-2 hover:underline"
      onClick={() => onToggle(isOpen ? undefined : String(line.line))}
    >
      {isOpen ? 'Hide' : 'See'} {count(line.quantity, 'payout')}
      <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={12} />
    </button>
  )
}

function Summary({ invoice }: { invoice: Invoice }) {
  const { period, issued_at, due_at, total_gbp } = invoice
  return (
    <Card>
      <Figures>
        <FigureOf term="Total">{gbp(total_gbp)}</FigureOf>
        <FigureOf term="For">{monthName(period)}</FigureOf>
        <FigureOf term="Issued">{issued_at === null ? 'Not yet' : longDay(issued_at)}</FigureOf>
        {due_at === null ? null : (
          <FigureOf term="Due" note={dueWords(invoice, new Date())}>
            {longDay(due_at)}
          </FigureOf>
        )}
      </Figures>
    </Card>
  )
}
