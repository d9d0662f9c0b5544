import { expect, it } from 'vitest'

import { BankClock } from './bank-clock.ts'

const AT = new Date('2026-11-02T09:00:00Z')
const clockAt = () => new BankClock({ now: () => AT })
const ahead = (clock: BankClock) => clock.now().getTime() - AT.getTime()

it('follows what another process has written into the books', async () => {
  const clock = clockAt()
  await clock.followBooks(() => Promise.resolve(10_000))
  expect(ahead(clock)).toBe(10_000)
  expect(clock.wallTime()).toEqual(AT)
})

it('does not go back to what was read before it was moved', async () => {
  const clock = clockAt()
  let answer = (_offsetMs: number): void => undefined
  const reading = clock.followBooks(() => new Promise((resolve) => (answer = resolve)))
  clock.follow(10_000)
  answer(0)
  await reading
  expect(ahead(clock)).toBe(10_000)
  await clock.followBooks(() => Promise.resolve(12_000))
  expect(ahead(clock)).toBe(12_000)
})
