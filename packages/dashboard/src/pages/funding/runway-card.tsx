import type { PayoutDay } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'

import { Loaded } from '../../app/loaded.tsx'
import { useScope } from '../../app/session.ts'
import { gbp, hundredths, moneyString } from '../../format/money.ts'
import { GreyBar, Delayed } from '../../parts/skeleton.tsx'
import { balanceQuery, daysQuery } from '../../server/queries.ts'
import { isShortOfOne, runwayDays, runwayWords } from '../../wallet/runway.ts'

const DAYS = 14
const SHOWN_DAYS = 30

/** How long the wallet lasts, as a sentence and as a bar of thirty days. */
export function Runway() {
  const scope = useScope()
  const balance = useQuery(balanceQuery(scope))
  const days = useQuery(daysQuery(scope, DAYS))
  return (
    <section aria-label="Runway" className="rounded-card border border-line bg-surface p-5">
      <h2 className="text-muted">Lasts for</h2>
      <Loaded query={balance} skeleton={<Waiting />} isSmall>
        {({ approx_gbp }) => (
          <Loaded query={days} skeleton={<Waiting />} isSmall>
            {({ data }) => <Lasts approxGbp={approx_gbp} days={data} />}
          </Loaded>
        )}
      </Loaded>
    </section>
  )
}

function Waiting() {
  return (
    <Delayed>
      <GreyBar className="mt-2 h-8 w-40" />
    </Delayed>
  )
}

function Lasts({ approxGbp, days }: { approxGbp: string; days: readonly PayoutDay[] }) {
  const runway = runwayDays(approxGbp, days)
  const spent = days.reduce((sum, day) => sum + (hundredths(day.completed_gbp) ?? 0n), 0n)
  const isShort = isShortOfOne(approxGbp, days)
  return (
    <>
      <p className={`num mt-1 text-2xl leading-9 font-semibold tracking-tight ${isShort ? 'text-bad' : ''}`}>
        {runway === null ? 'Not known yet' : runwayWords(runway)}
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
              className={`h-full rounded-full ${isShort ? 'bg-bad' : runway < 7 ? 'bg-warn' : 'bg-ok'}`}
              style={{ width: `${(Math.min(SHOWN_DAYS, runway) * 100) / SHOWN_DAYS}%` }}
            />
          </div>
          {isShort ? <p className="text-bad">A payout of your usual size no longer fits.</p> : null}
          <p className="num text-muted">
            At {gbp(moneyString(spent / BigInt(days.length)))} per day, the average of the last {days.length} days
          </p>
        </>
      )}
    </>
  )
}
