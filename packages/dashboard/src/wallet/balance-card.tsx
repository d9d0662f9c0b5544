import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { Loaded } from '../app/loaded.tsx'
import { linkClass } from '../app/page.tsx'
import { useIsVerified, useScope } from '../app/session.ts'
import { clockTime } from '../format/dates.ts'
import { gbp, rate, usdc } from '../format/money.ts'
import { Figure, FigureToCome } from '../parts/figure.tsx'
import { balanceQuery } from '../server/queries.ts'

/** What can be paid out now, in pounds and in USDC, at the current rate. */
export function BalanceCard() {
  const isVerified = useIsVerified()
  const balance = useQuery({ ...balanceQuery(useScope()), enabled: isVerified })
  if (!isVerified) {
    return (
      <Figure label="Available to pay out">
        <p className="mt-1 text-muted">Your live wallet opens when the business is verified.</p>
      </Figure>
    )
  }
  return (
    <Figure
      label="Available to pay out"
      action={
        <Link to="/funding" className={linkClass}>
          Top up
        </Link>
      }
    >
      <Loaded query={balance} skeleton={<FigureToCome />} isSmall>
        {({ approx_gbp, usdc: held, gbp_per_usd }) => (
          <>
            <p className="num mt-1 text-[30px] leading-9 font-semibold tracking-tight">
              <span className="sr-only">About </span>
              {gbp(approx_gbp)}
            </p>
            <p className="num mt-1 text-muted">
              {usdc(held)} · {rate(gbp_per_usd)}
            </p>
            <p className="num text-sm text-muted">As at {clockTime(new Date(balance.dataUpdatedAt))}</p>
          </>
        )}
      </Loaded>
    </Figure>
  )
}
