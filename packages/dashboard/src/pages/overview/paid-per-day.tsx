import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'

import { Loaded } from '../../app/loaded.tsx'
import { useScope } from '../../app/session.ts'
import { dayAndMonth } from '../../format/dates.ts'
import { addMoney, gbp, hundredths } from '../../format/money.ts'
import { count } from '../../format/people.ts'
import { BarChart } from '../../parts/bar-chart.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Bar, Delayed } from '../../parts/skeleton.tsx'
import { Segments } from '../../parts/tabs.tsx'
import { daysQuery, keptWithin } from '../../server/queries.ts'
import type { PayoutDay } from '../../server/shapes.ts'

const SERIES = [
  { name: 'Completed', fill: 'fill-accent', swatch: 'bg-accent' },
  { name: 'Not completed', fill: 'fill-control', swatch: 'bg-control' },
]

export function PaidPerDay() {
  const [days, setDays] = useState(14)
  const [isTable, setTable] = useState(false)
  const scope = useScope()
  const query = useQuery({ ...daysQuery(scope, days), placeholderData: keptWithin(scope) })
  return (
    <Card
      title="Paid to recipients"
      action={
        <div className="flex flex-wrap items-center gap-2">
          <Segments
            label="Period"
            value={days}
            onChange={setDays}
            options={[7, 14, 30].map((value) => ({ value, label: `${value} days` }))}
          />
          <Button kind="quiet" icon={isTable ? 'chart' : 'table'} onClick={() => setTable(!isTable)}>
            {isTable ? 'View as chart' : 'View as table'}
          </Button>
        </div>
      }
    >
      <Loaded query={query} skeleton={<Waiting />}>
        {({ data }) =>
          isTable ? (
            <DayTable days={data} />
          ) : (
            <BarChart
              label={`Paid to recipients per day, last ${days} days, ${gbp(addMoney(...data.map((day) => day.completed_gbp)))} completed`}
              series={SERIES}
              bars={data.map((day) => ({
                id: day.date,
                label: String(Number(day.date.slice(8))),
                words: inWords(day),
                values: [hundredths(day.completed_gbp) ?? 0n, hundredths(day.other_gbp) ?? 0n],
              }))}
            />
          )
        }
      </Loaded>
    </Card>
  )
}

function inWords(day: PayoutDay): string {
  return `${dayAndMonth(day.date)}: ${gbp(day.completed_gbp)} completed, ${gbp(day.other_gbp)} not completed, ${count(day.count, 'payout')}`
}

function Waiting() {
  return (
    <Delayed>
      <Bar className="h-60" />
    </Delayed>
  )
}

function DayTable({ days }: { days: readonly PayoutDay[] }) {
  return (
    <div className="overflow-x-auto">
      <table className="num w-full text-right">
        <caption className="sr-only">Paid to recipients per day</caption>
        <thead className="text-sm text-muted">
          <tr>
            <th scope="col" className="py-1.5 text-left font-medium">
              Day
            </th>
            <th scope="col" className="py-1.5 font-medium">
              Completed
            </th>
            <th scope="col" className="py-1.5 font-medium">
              Not completed
            </th>
            <th scope="col" className="py-1.5 font-medium">
              Payouts
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {days.map((day) => (
            <tr key={day.date}>
              <th scope="row" className="py-1.5 text-left font-normal">
                <Link to="/payouts" search={{ from: day.date, to: day.date }} className="hover:underline">
                  {dayAndMonth(day.date)}
                </Link>
              </th>
              <td>{gbp(day.completed_gbp)}</td>
              <td>{gbp(day.other_gbp)}</td>
              <td>{day.count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
