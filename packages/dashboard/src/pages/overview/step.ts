import type { GoLive, GoLiveStepId } from '@kestrel/contract'
import type { ReactNode } from 'react'

/** Something to do. `isDone` comes from the account itself, never from a click. */
export interface ChecklistStep {
  readonly title: string
  readonly text: string
  readonly isDone: boolean
  readonly link: ReactNode
}

/** The steps that are done, as the service says. */
export function doneSteps({ steps }: Pick<GoLive, 'steps'>): ReadonlySet<GoLiveStepId> {
  return new Set(steps.filter(({ done }) => done).map(({ id }) => id))
}
