import type { Usage } from '@kestrel/contract'
import type { ReactNode } from 'react'

import { gbp } from '../format/money.ts'

type Line = Usage['invoice_so_far']['lines'][number]

interface BillLinesProps<T extends Line> {
  readonly lines: readonly T[]
  readonly total: string
  /** What stands under the words of a line, such as the way to its payouts. */
  readonly under?: (line: T) => ReactNode
}

const number = new Intl.NumberFormat('en-GB')

/** The lines of an invoice, or of one to come, and what they add up to. */
export function BillLines<T extends Line>({ lines, total, under }: BillLinesProps<T>) {
  return (
    <table className="num w-full text-right">
      <caption className="sr-only">Lines of the invoice</caption>
      <thead className="text-sm text-muted">
        <tr className="border-b border-line">
          <th scope="col" className="py-2 text-left font-medium">
            What
          </th>
          <th scope="col" className="hidden py-2 pl-4 font-medium sm:table-cell">
            Quantity
          </th>
          <th scope="col" className="hidden py-2 pl-4 font-medium sm:table-cell">
            Each
          </th>
          <th scope="col" className="py-2 pl-4 font-medium">
            Amount
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {lines.map((line) => (
          <tr key={line.kind} className="align-top">
            <th scope="row" className="py-2 text-left font-normal">
              {line.description}
              <Narrow line={line} />
              {under === undefined ? null : <span className="block">{under(line)}</span>}
            </th>
            <td className="hidden py-2 pl-4 sm:table-cell">{number.format(line.quantity)}</td>
            <td className="hidden py-2 pl-4 sm:table-cell">
              {line.unit_price_exact_gbp === null ? (
                <span className="text-muted">Varies</span>
              ) : (
                gbp(line.unit_price_exact_gbp)
              )}
            </td>
            <td className="py-2 pl-4">{gbp(line.amount_gbp)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="border-t border-control font-semibold">
          <th scope="row" className="pt-2 text-left">
            Total
          </th>
          <td className="hidden sm:table-cell" />
          <td className="hidden sm:table-cell" />
          <td className="pt-2 pl-4">{gbp(total)}</td>
        </tr>
      </tfoot>
    </table>
  )
}

/** On a phone the two columns in the middle are a line under the words. */
function Narrow({ line: { quantity, unit_price_exact_gbp: price } }: { line: Line }) {
  const shown = number.format(quantity)
  return (
    <span className="block text-sm text-muted sm:hidden">
      {price === null ? `Quantity ${shown}` : `${shown} at ${gbp(price)}`}
    </span>
  )
}
