import type { TestApp } from '../support/app.ts'

/**
 * From now on the test's clock moves only when the test moves it. What happens at once then really happens at one
 * moment: on a busy machine the simulated bank would otherwise settle payouts while they are still being counted.
 */
export function stopTheClock(test: TestApp): void {
  let now = test.clock.now().getTime()
  Object.assign(test.clock, {
    now: () => new Date(now),
    advance: (milliseconds: number) => {
      now += milliseconds
    },
  })
}
