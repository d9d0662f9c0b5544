import { type Clock, sleep } from '../../src/core/clock.ts'

/** A clock that tests move. It runs on with real time, so that nothing stands still by accident. */
export class TestClock implements Clock {
  #offsetMs = 0
  #forwardMs = 0

  now(): Date {
    return new Date(Date.now() + this.#offsetMs)
  }

  /** Nothing at the bank of a test moves by itself between two looks: it is enough that others come to their turn. */
  pause(): Promise<void> {
    return sleep(5)
  }

  /** How far it has been moved forwards, all in all: a bank's clock can follow that, and goes back for nobody. */
  get forwardMs(): number {
    return this.#forwardMs
  }

  /** How far it has been moved from the real time. */
  get offsetMs(): number {
    return this.#offsetMs
  }

  advance(milliseconds: number): void {
    this.#offsetMs += milliseconds
    this.#forwardMs += Math.max(0, milliseconds)
  }

  set(moment: string): void {
    this.advance(new Date(moment).getTime() - Date.now() - this.#offsetMs)
  }
}

/**
 * A bank's clock that goes on only when a test moves it, whatever else the machine does: by itself a millisecond for each
 * look, so that no two moments are one.
 */
export class StandingClock implements Clock {
  #ms = Date.now()

  now(): Date {
    this.#ms += 1
    return new Date(this.#ms)
  }
}

/** Time that passes only when a test lets it. The day goes on. */
export class StandingTime implements Clock {
  readonly #now: () => Date
  #ms = 0
  #sleeping: { readonly until: number; readonly wake: () => void }[] = []

  constructor(now: () => Date = () => new Date()) {
    this.#now = now
  }

  now(): Date {
    return this.#now()
  }

  elapsedMs(): number {
    return this.#ms
  }

  pause(milliseconds: number): Promise<void> {
    return new Promise((wake) => this.#sleeping.push({ until: this.#ms + milliseconds, wake }))
  }

  pass(milliseconds: number): void {
    this.#ms += milliseconds
    for (const { until, wake } of this.#sleeping) if (until <= this.#ms) wake()
    this.#sleeping = this.#sleeping.filter(({ until }) => until > this.#ms)
  }
}
