import type { ReactNode } from 'react'

import { GreyBar, Delayed } from './skeleton.tsx'

interface FigureProps {
  readonly label: string
  readonly action?: ReactNode
  readonly children: ReactNode
}

/** One large figure on a card of its own. */
export function Figure({ label, action, children }: FigureProps) {
  return (
    <section aria-label={label} className="min-w-0 rounded-card border border-line bg-surface p-5">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-muted">{label}</h2>
        {action}
      </div>
      {children}
    </section>
  )
}

/** In the place of the figure while it is read. */
export function FigureToCome() {
  return (
    <Delayed>
      <div role="status" aria-label="Loading" className="grid gap-2 pt-2">
        <GreyBar className="h-7 w-32" />
        <GreyBar className="h-4 w-44" />
      </div>
    </Delayed>
  )
}
