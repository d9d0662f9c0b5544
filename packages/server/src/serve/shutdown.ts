// An orderly end: on SIGTERM or Ctrl-C, finish what is under way, in order, within the time that is given.
import { sleep } from '../core/clock.ts'

/** Whoever asks for an end gets it within ten seconds; a second is kept for the exit itself. */
const LONGEST_MS = 9_000

export interface Closable {
  readonly name: string
  readonly close: () => Promise<void>
}

export function onStopSignal(parts: () => readonly Closable[], report: (problem: string) => void): void {
  let isStopping = false
  const stop = (signal: NodeJS.Signals) => {
    // Asked twice: the person means it.
    if (isStopping) process.exit(signal === 'SIGINT' ? 130 : 143)
    isStopping = true
    void Promise.race([closeAll(parts(), report), sleep(LONGEST_MS).then(() => report('gave up waiting'))]).then(() =>
      process.exit(0),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // The terminal was closed: as good as being asked.
  process.on('SIGHUP', stop)
}

export async function closeAll(parts: readonly Closable[], report: (problem: string) => void): Promise<void> {
  for (const part of parts) {
    await part.close().catch((error: unknown) => report(`${part.name}: ${String(error)}`))
  }
}
