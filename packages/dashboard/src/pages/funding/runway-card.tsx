import { useQuery } from '@tanstack/react-query'

import { useScope } from '../../app/session.ts'
import { gbp, hundredths, moneyString } from '../../format/money.ts'
import { count } from '../../format/people.ts'
import { balanceQuery, daysQuery } from '../../server/queries.ts'
import { runwayDays } from '../overview/runway.ts'

const DAYS = 14
const SHOWN_DAYS = 30

/** How long the wallet lasts, as a sentence and as a bar of thirty days. */
export function Runway() {
  const scope = useScope()
  const balance = useQuery(balanceQuery(scope)).data
  const days = useQuery(daysQuery(scope, DAYS)).data?.data
  if (balance === undefined || days === undefined) return <div className="rounded-card border border-line bg-surface" />
  const runway = runwayDays(balance.approx_gbp, days)
  const spent = days.reduce((sum, day) => sum + (hundredths(day.completed_gbp) ?? 0n), 0n)
  return (
    <section aria-label="Runway" className="rounded-card border border-line bg-surface p-5">
      <h2 className="text-muted">Lasts for</h2>
      <p className="num mt-1 text-2xl leading-9 font-semibold tracking-tight">
        {runway === null ? 'Not known yet' : runway > 365 ? 'Over a year' : `About ${count(runway, 'day')}`}
      </p>
      {runway === null ? (
        <p className="mt-1 text-muted">Nothing was paid out in the last {DAYS} days.</p>
      ) : (
        <>
          <div
            role="meter"
            aria-label="Days the wallet lasts, of 30"
            aria-valuemin={0}
            aria-valuemax={SHOWN_DAYS}
            aria-valuenow={Math.min(SHOWN_DAYS, runway)}
            className="my-2 h-2 overflow-hidden rounded-full bg-selected"
          >
            <div
              className={`h-full rounded-full ${runway < 7 ? 'bg-warn' : 'bg-ok'}`}
              style={{ width: `${(Math.min(SHOWN_DAYS, runway) * 100) / SHOWN_DAYS}%` }}
            />
          </div>
          <p className="num text-muted">
            At {gbp(moneyString(spent / BigInt(days.length)))} a day, the average of the last {days.length} days
          </p>
        </>
      )}
    </section>
  )
}
