import type { ReactNode } from 'react'

/** Something to do, ticked by what is so. */
export interface Step {
  readonly title: string
  readonly text: string
  readonly isDone: boolean
  readonly link: ReactNode
}
