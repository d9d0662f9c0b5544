import type { ReactNode } from 'react'

/** Something to do. `isDone` comes from the account itself, never from a click. */
export interface ChecklistStep {
  readonly title: string
  readonly text: string
  readonly isDone: boolean
  readonly link: ReactNode
}
