import type { ReactNode } from 'react'

/** A few figures side by side that belong together; two to a row on a phone. */
export function Figures({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:flex sm:flex-wrap sm:gap-x-12">{children}</dl>
}

export function FigureOf({ term, note, children }: { term: string; note?: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="num mt-0.5">
        <span className="block text-lg font-semibold">{children}</span>
        {note === undefined ? null : <span className="block text-sm text-muted">{note}</span>}
      </dd>
    </div>
  )
}
