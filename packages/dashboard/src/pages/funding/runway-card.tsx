import type { Balance } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'

import { Loaded } from '../../app/loaded.tsx'
import { useScope } from '../../app/session.ts'
import { gbp } from '../../format/money.ts'
import { GreyBar, Delayed } from '../../parts/skeleton.tsx'
import { balanceQuery } from '../../server/queries.ts'
import { fitWords, isShortOfOne, runwayWords, topUpWords } from '../../wallet/runway.ts'

const SHOWN_DAYS = 30

/** How long the wallet lasts, as a sentence and as a bar of thirty days. */
export function Runway() {
  const scope = useScope()
  const balance = useQuery(balanceQuery(scope))
  return (
    <section aria-label="Runway" className="rounded-card border border-line bg-surface p-5">
      <h2 className="text-muted">Lasts for</h2>
      <Loaded query={balance} skeleton={<Waiting />} isSmall>
        {({ runway }) => <Lasts runway={runway} />}
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

function Lasts({ runway }: { runway: Balance['runway'] }) {
  if (runway === null)
    return (
      <>
        <p className="mt-1 text-2xl leading-9 font-semibold tracking-tight">Not known yet</p>
        <p className="mt-1 text-muted">Nothing arrived in the last 14 days.</p>
      </>
    )
  const isShort = isShortOfOne(runway)
  const fits = fitWords(runway)
  const missing = topUpWords(runway)
  return (
    <>
      <p className={`num mt-1 text-2xl leading-9 font-semibold tracking-tight ${isShort ? 'text-bad' : ''}`}>
        {runwayWords(runway)}
      </p>
      <Meter days={Math.floor(runway.days)} isShort={isShort} />
      {fits === null ? null : <p className={`num ${isShort ? 'text-bad' : ''}`}>{fits}</p>}
      {missing === null ? null : <p className="num">{missing}</p>}
      <p className="num text-muted">At {gbp(runway.gbp_per_day)} per day, the average of the last 14 days</p>
    </>
  )
}

function Meter({ days, isShort }: { days: number; isShort: boolean }) {
  const shown = Math.min(SHOWN_DAYS, days)
  return (
    <div
      role="meter"
      aria-label="Days the wallet lasts, of 30"
      aria-valuemin={0}
      aria-valuemax={SHOWN_DAYS}
      aria-valuenow={shown}
      className="my-2 h-2 overflow-hidden rounded-full bg-selected"
    >
      <div
        className={`h-full rounded-full ${isShort ? 'bg-bad' : days < 7 ? 'bg-warn' : 'bg-ok'}`}
        style={{ width: `${(shown * 100) / SHOWN_DAYS}%` }}
      />
    </div>
  )
}
