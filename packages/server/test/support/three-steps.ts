import type { TestApp } from './app.ts'

/** From now on the simulated rail is asked, as a bank is, and no longer says beforehand what it will answer. */
export function askEachTime(test: TestApp): void {
  Object.assign(test.deps.rails.simulated, { foretell: undefined })
}
