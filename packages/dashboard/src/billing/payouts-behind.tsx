import type { Usage } from '@kestrel/contract'
import { Link } from '@tanstack/react-router'

import { linkClass } from '../app/page.tsx'
import { count } from '../format/people.ts'
import { chargedInMonth } from './figure-links.ts'

type Line = Pick<Usage['invoice_so_far']['lines'][number], 'kind' | 'quantity'>

/** The way from a line to the payouts that it is made of; nothing for a line that is about no payouts. */
export function PayoutsBehind({ line, month }: { line: Line; month: string }) {
  const search = chargedInMonth(line.kind, month)
  if (search === null || line.quantity === 0) return null
  return (
    <Link to="/payouts" search={search} className={linkClass}>
      See {count(line.quantity, 'payout')}
    </Link>
  )
}
