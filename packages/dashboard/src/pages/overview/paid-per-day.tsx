import type { PayoutDay } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { Loaded } from '../../app/loaded.tsx'
import { useScope } from '../../app/session.ts'
import { dayAndMonth } from '../../format/dates.ts'
import { addMoney, gbp, hundredths } from '../../format/money.ts'
import { count } from '../../format/people.ts'
import { BarChart } from '../../parts/bar-chart.tsx'
import { ChartCard, ChartTable } from '../../parts/chart-card.tsx'
import { GreyBar, Delayed } from '../../parts/skeleton.tsx'
import { Segments } from '../../parts/tabs.tsx'
import { daysQuery, keptWithin } from '../../server/queries.ts'

const SERIES = [
  { name: 'Completed', fill: 'fill-accent', swatch: 'bg-accent' },
  { name: 'Not completed', fill: 'fill-control', swatch: 'bg-control' },
]

export default function PaidPerDay() {
  const [days, setDays] = useState(14)
  const scope = useScope()
  const query = useQuery({ ...daysQuery(scope, days), placeholderData: keptWithin(scope) })
  return (
    <ChartCard
      title="Paid to recipients"
      action={
        <Segments
          label="Period"
          value={days}
          onChange={setDays}
          options={[7, 14, 30].map((value) => ({ value, label: `${value} days` }))}
        />
      }
    >
      {(as) => (
        <Loaded query={query} skeleton={<Waiting />}>
          {({ data }) => (as === 'table' ? <DayTable days={data} /> : <DayChart days={data} />)}
        </Loaded>
      )}
    </ChartCard>
  )
}

function DayChart({ days }: { days: readonly PayoutDay[] }) {
  const navigate = useNavigate()
  return (
    <BarChart
      label={`Paid to recipients per day, last ${days.length} days, ${gbp(addMoney(...days.map((day) => day.completed_gbp)))} completed`}
      series={SERIES}
      onOpen={(day) => void navigate({ to: '/payouts', search: { from: day, to: day } })}
      bars={days.map((day) => ({
        id: day.date,
        label: String(Number(day.date.slice(8))),
        words: inWords(day),
        values: [hundredths(day.completed_gbp) ?? 0n, hundredths(day.other_gbp) ?? 0n],
      }))}
    />
  )
}

function inWords(day: PayoutDay): string {
  return `${dayAndMonth(day.date)}: ${gbp(day.completed_gbp)} completed, ${gbp(day.other_gbp)} not completed, ${count(day.count, 'payout')}`
}

function Waiting() {
  return (
    <Delayed>
      <GreyBar className="h-60" />
    </Delayed>
  )
}

function DayTable({ days }: { days: readonly PayoutDay[] }) {
  return (
    <ChartTable
      caption="Paid to recipients per day"
      heads={['Day', 'Completed', 'Not completed', 'Payouts']}
      rows={days.map((day) => ({
        id: day.date,
        name: (
          <Link to="/payouts" search={{ from: day.date, to: day.date }} className="hover:underline">
            {dayAndMonth(day.date)}
          </Link>
        ),
        cells: [gbp(day.completed_gbp), gbp(day.other_gbp), String(day.count)],
      }))}
    />
  )
}
