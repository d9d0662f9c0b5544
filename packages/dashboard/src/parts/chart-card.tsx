import { type ReactNode, useState } from 'react'

import { Button } from './button.tsx'
import { Card } from './card.tsx'

interface ChartCardProps {
  readonly title: string
  readonly action?: ReactNode
  /** The same figures as a chart and as a table. */
  readonly children: (as: 'chart' | 'table') => ReactNode
}

export function ChartCard({ title, action, children }: ChartCardProps) {
  const [isTable, setTable] = useState(false)
  return (
    <Card
      title={title}
      action={
        <div className="flex flex-wrap items-center gap-2">
          {action}
          <Button
            kind="quiet"
            // Its padding is not seen: its words stand at the edge, as the title does.
            className="-mx-3.5"
            icon={isTable ? 'chart' : 'table'}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? 'View as chart' : 'View as table'}
          </Button>
        </div>
      }
    >
      {children(isTable ? 'table' : 'chart')}
    </Card>
  )
}

interface ChartTableProps {
  readonly caption: string
  /** The headings; the first one is that of the row names. */
  readonly heads: readonly string[]
  readonly rows: readonly { readonly id: string; readonly name: ReactNode; readonly cells: readonly string[] }[]
}

/** What a chart draws, in figures. */
export function ChartTable({ caption, heads, rows }: ChartTableProps) {
  const [first, ...others] = heads
  return (
    <div className="overflow-x-auto">
      <table className="num w-full text-right">
        <caption className="sr-only">{caption}</caption>
        <thead className="text-sm text-muted">
          <tr>
            <th scope="col" className="py-1.5 text-left font-medium">
              {first}
            </th>
            {others.map((head) => (
              <th key={head} scope="col" className="py-1.5 pl-3 font-medium">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ id, name, cells }) => (
            <tr key={id}>
              <th scope="row" className="py-1.5 text-left font-normal">
                {name}
              </th>
              {cells.map((cell, index) => (
                <td key={others[index]} className="pl-3">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
