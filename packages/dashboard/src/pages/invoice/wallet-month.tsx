import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { Loaded } from '../../app/loaded.tsx'
import { linkClass } from '../../app/page.tsx'
import { useScope } from '../../app/session.ts'
import { lastOfMonth, monthName } from '../../format/dates.ts'
import { grouped, isZero, lost } from '../../format/money.ts'
import { Card } from '../../parts/card.tsx'
import { FigureOf, Figures } from '../../parts/figures.tsx'
import { statementSumsQuery } from '../../server/queries.ts'

/** What the wallet did in the month of an invoice: the same figures as on the document. */
export function WalletMonth({ period }: { period: string }) {
  const days = { from: `${period}-01`, to: lastOfMonth(period) }
  const sums = useQuery(statementSumsQuery(useScope(), days))
  return (
    <Card
      title={`Your wallet in ${monthName(period)}, in USDC`}
      action={
        <Link to="/statement" search={days} className={linkClass}>
          See every movement
        </Link>
      }
    >
      <Loaded query={sums} isSmall>
        {({ opening_usdc, closing_usdc, totals }) => (
          <Figures>
            <FigureOf term="At the beginning">{grouped(opening_usdc)}</FigureOf>
            <FigureOf term="Top-ups">{grouped(totals.topped_up_usdc)}</FigureOf>
            {isZero(totals.taken_out_usdc) ? null : (
              <FigureOf term="Corrections">{lost(totals.taken_out_usdc)}</FigureOf>
            )}
            <FigureOf term="Payouts">{lost(totals.paid_out_usdc)}</FigureOf>
            <FigureOf term="Returned to the wallet">{grouped(totals.came_back_usdc)}</FigureOf>
            <FigureOf term="At the end">{grouped(closing_usdc)}</FigureOf>
          </Figures>
        )}
      </Loaded>
    </Card>
  )
}
