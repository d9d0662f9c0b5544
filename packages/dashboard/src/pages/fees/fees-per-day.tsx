import type { PayoutDay } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'

import { Loaded } from '../../app/loaded.tsx'
import { useScope } from '../../app/session.ts'
import { dayAndMonth, monthName } from '../../format/dates.ts'
import { addMoney, gbp, hundredths } from '../../format/money.ts'
import { count } from '../../format/people.ts'
import { BarChart } from '../../parts/bar-chart.tsx'
import { ChartCard, ChartTable } from '../../parts/chart-card.tsx'
import { completedDaysQuery } from '../../server/queries.ts'

const SERIES = [{ name: 'Fees', fill: 'fill-accent', swatch: 'bg-accent' }]

const completedOn = (day: string) => ({ completed_from: day, completed_to: day })

/** By the day on which payouts completed, like the month above it: the days add up to its fees. */
export function FeesPerDay({ month }: { month: string }) {
  const days = useQuery(completedDaysQuery(useScope(), month))
  return (
    <ChartCard title={`Fees per day, ${monthName(month)}`}>
      {(as) => (
        <Loaded query={days}>
          {({ data }) => (as === 'table' ? <DayTable days={data} /> : <DayChart days={data} month={month} />)}
        </Loaded>
      )}
    </ChartCard>
  )
}

function DayChart({ days, month }: { days: readonly PayoutDay[]; month: string }) {
  const navigate = useNavigate()
  return (
    <BarChart
      label={`Fees per day, ${monthName(month)}, ${gbp(addMoney(...days.map((day) => day.fees_gbp)))} in all`}
      series={SERIES}
      onOpen={(day) => void navigate({ to: '/payouts', search: completedOn(day) })}
      bars={days.map(({ date, fees_gbp, count: payouts }) => ({
        id: date,
        label: String(Number(date.slice(8))),
        words: `${dayAndMonth(date)}: ${gbp(fees_gbp)} for ${count(payouts, 'payout')}`,
        values: [hundredths(fees_gbp) ?? 0n],
      }))}
    />
  )
}

function DayTable({ days }: { days: readonly PayoutDay[] }) {
  return (
    <ChartTable
      caption="Fees per day"
      heads={['Day', 'Fees', 'Completed']}
      rows={days.map(({ date, fees_gbp, count: payouts }) => ({
        id: date,
        name: (
          <Link to="/payouts" search={completedOn(date)} className="hover:underline">
            {dayAndMonth(date)}
          </Link>
        ),
        cells: [gbp(fees_gbp), String(payouts)],
      }))}
    />
  )
}
