import type { Clock } from '../../src/core/clock.ts'

/** A clock that tests move. It runs on with real time, so that nothing stands still by accident. */
export class TestClock implements Clock {
  #offsetMs = 0

  now(): Date {
    return new Date(Date.now() + this.#offsetMs)
  }

  /** How far it has been moved from the real time. */
  get offsetMs(): number {
    return this.#offsetMs
  }

  advance(milliseconds: number): void {
    this.#offsetMs += milliseconds
  }

  set(moment: string): void {
    this.#offsetMs = new Date(moment).getTime() - Date.now()
  }
}
