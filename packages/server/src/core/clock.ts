// The only place that reads the time. Everything else is handed a Clock, so that a test can move it.
export interface Clock {
  now(): Date
  /** Lets a moment pass before something is looked at again. Without it, real time passes. */
  pause?(milliseconds: number): Promise<void>
}

export const systemClock: Clock = { now: () => new Date() }

export function after(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds)
}

/** For measuring how long something took, never for the time of day. */
export function monotonicMs(): number {
  return performance.now()
}

export function pause(clock: Clock, milliseconds: number): Promise<void> {
  return clock.pause?.(milliseconds) ?? sleep(milliseconds)
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
