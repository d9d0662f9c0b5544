// An orderly end: on SIGTERM or Ctrl-C, finishes what is under way, in order, within a time limit.
import { monotonicMs, sleep } from '../core/clock.ts'

/** The process ends within ten seconds; one second is kept for the exit itself. */
const LONGEST_MS = 9_000
const ONE_WISH_MS = 1_000

export interface Closable {
  readonly name: string
  readonly close: () => Promise<void>
}

export function onStopSignal(parts: () => readonly Closable[], report: (problem: string) => void): void {
  let askedAt: number | null = null
  const stop = (signal: NodeJS.Signals) => {
    if (askedAt !== null) {
      // A terminal, npm and a supervisor may each pass on the same wish. Only a person who asks again after a while
      // means: never mind what is under way.
      if (signal === 'SIGINT' && monotonicMs() - askedAt > ONE_WISH_MS) process.exit(130)
      return
    }
    askedAt = monotonicMs()
    void Promise.race([closeAll(parts(), report), sleep(LONGEST_MS).then(() => report('gave up waiting'))]).then(() =>
      process.exit(0),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // The terminal was closed, which counts as being asked.
  process.on('SIGHUP', stop)
}

/**
 * For an error that nobody caught: what the program holds in memory can no longer be trusted, so it reports the error
 * and ends in order; its supervisor starts it again. Nothing that a partner sends may lead here.
 */
export function onUnknownError(parts: () => readonly Closable[], report: (error: unknown) => void): void {
  let isEnding = false
  process.on('uncaughtException', (thrown) => {
    report(thrown)
    if (isEnding) return
    isEnding = true
    void Promise.race([closeAll(parts(), report), sleep(LONGEST_MS)]).then(() => process.exit(1))
  })
}

export async function closeAll(parts: readonly Closable[], report: (problem: string) => void): Promise<void> {
  for (const part of parts) {
    await part.close().catch((error: unknown) => report(`${part.name}: ${String(error)}`))
  }
}
