// The only place that reads the time. Everything else is handed a Clock, so that a test can move it.
export interface Clock {
  now(): Date
  /** Lets a moment pass before something is looked at again. Without it, real time passes. */
  pause?(milliseconds: number): Promise<void>
  /** Milliseconds since some moment, of a clock that has a time of its own, which `pause` then counts in. */
  elapsedMs?(): number
}

/**
 * Clocks do not differ by as much as this. What is dated further ahead than it can be by so much was written by a clock that was
 * ahead and has been set right: it counts as absent, or it would keep everybody out until that time comes.
 */
export const CLOCK_WAS_WRONG_MS = 60 * 60_000

export const systemClock: Clock = { now: () => new Date() }

export function after(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds)
}

/** For measuring how long something took, never for the time of day. */
export function monotonicMs(clock?: Clock): number {
  return clock?.elapsedMs?.() ?? performance.now()
}

export function pause(clock: Clock, milliseconds: number): Promise<void> {
  return clock.pause?.(milliseconds) ?? sleep(milliseconds)
}

/** Lets as much time pass as `monotonicMs` of the same clock counts. */
export function wait(clock: Clock, milliseconds: number): Promise<void> {
  return clock.elapsedMs === undefined ? sleep(milliseconds) : pause(clock, milliseconds)
}

/** Does something when so much time has passed, as `wait` counts it. What it returns calls that off. */
export function later(clock: Clock | undefined, milliseconds: number, work: () => void): () => void {
  if (clock?.elapsedMs === undefined || clock.pause === undefined) {
    const timer = setTimeout(work, milliseconds)
    return () => clearTimeout(timer)
  }
  let isOff = false
  const act = () => void (isOff || work())
  void pause(clock, milliseconds).then(act, () => undefined)
  return () => void (isOff = true)
}

export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve()
    const timer = setTimeout(done, milliseconds)
    function done(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    signal?.addEventListener('abort', done)
  })
}
