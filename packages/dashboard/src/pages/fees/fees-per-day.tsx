import { useQuery } from '@tanstack/react-query'

import { Loaded } from '../../app/loaded.tsx'
import { useScope } from '../../app/session.ts'
import { dayAndMonth } from '../../format/dates.ts'
import { addMoney, gbp, hundredths } from '../../format/money.ts'
import { BarChart } from '../../parts/bar-chart.tsx'
import { Card } from '../../parts/card.tsx'
import { daysQuery } from '../../server/queries.ts'

const SERIES = [{ name: 'Fees', fill: 'fill-accent', swatch: 'bg-accent' }]

export function FeesPerDay() {
  const days = useQuery(daysQuery(useScope(), 30))
  return (
    <Card title="Fees per day, last 30 days">
      <Loaded query={days}>
        {({ data }) => (
          <BarChart
            label={`Fees per day, last 30 days, ${gbp(addMoney(...data.map((day) => day.fees_gbp)))} in all`}
            series={SERIES}
            bars={data.map(({ date, fees_gbp }) => ({
              id: date,
              label: String(Number(date.slice(8))),
              words: `${dayAndMonth(date)}: ${gbp(fees_gbp)}`,
              values: [hundredths(fees_gbp) ?? 0n],
            }))}
          />
        )}
      </Loaded>
    </Card>
  )
}
