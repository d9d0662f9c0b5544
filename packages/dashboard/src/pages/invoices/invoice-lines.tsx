import type { Invoice } from '@kestrel/contract'

import { monthName } from '../../format/dates.ts'
import { gbp } from '../../format/money.ts'
import { Card } from '../../parts/card.tsx'

export function InvoiceLines({ invoice }: { invoice: Invoice }) {
  return (
    <Card title={`Invoice for ${monthName(invoice.period)}`}>
      {invoice.lines.length === 0 ? (
        <p className="text-muted">This invoice has no lines.</p>
      ) : (
        <div className="overflow-x-auto">
          <table className="num w-full text-right">
            <caption className="sr-only">Lines of the invoice</caption>
            <thead className="text-sm text-muted">
              <tr className="border-b border-line">
                <th scope="col" className="py-2 text-left font-medium">
                  What
                </th>
                <th scope="col" className="py-2 font-medium">
                  Quantity
                </th>
                <th scope="col" className="py-2 font-medium">
                  Each
                </th>
                <th scope="col" className="py-2 font-medium">
                  Amount
                </th>
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {invoice.lines.map((line) => (
                <tr key={line.kind}>
                  <th scope="row" className="py-2 text-left font-normal">
                    {line.description}
                  </th>
                  <td>{line.quantity}</td>
                  <td>{line.unit_price_gbp === null ? '' : gbp(line.unit_price_gbp)}</td>
                  <td>{gbp(line.amount_gbp)}</td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr className="border-t border-control font-semibold">
                <th scope="row" colSpan={3} className="py-2 text-left">
                  Total
                </th>
                <td>{gbp(invoice.total_gbp)}</td>
              </tr>
            </tfoot>
          </table>
        </div>
      )}
    </Card>
  )
}
