// How many cases one test has tried, where it tries many: `task.meta.cases = 300`. `npm run prove` adds them up.
import type { TaskMeta } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    cases?: number
  }
}

/** How many one test stands for. */
export const casesOf = ({ cases = 1 }: TaskMeta): number => cases
