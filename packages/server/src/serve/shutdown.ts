// A program from its first moment to its end: on SIGTERM or Ctrl-C, also while it is still starting, it finishes what is under way
// and closes what it has opened, in order, within a time limit.
import { monotonicMs, sleep } from '../core/clock.ts'
import { within } from '../core/within.ts'

/** The process ends within ten seconds; one second is kept for the exit itself. */
const LONGEST_MS = 9_000
const ONE_WISH_MS = 1_000
/** A start under way comes to its next step and opens nothing more; one that waits for somebody else is not waited for. */
const START_PATIENCE_MS = 2_000

interface Closable {
  readonly name: string
  readonly close: () => Promise<void>
}

export interface Life {
  /** Aborted when the program is told to end. */
  readonly ending: AbortSignal
  /**
   * What is opened later is closed sooner: first what takes work, last what the work depends on. Throws when the program has been told
   * to end: it is closed then, and the start goes no further.
   */
  readonly closeFirst: (name: string, close: () => Promise<void>) => void
  /** What is said when the end begins, before anything is waited for. */
  readonly sayFirst: (name: string, say: () => void) => void
  /** Where problems of the end are told from now on. */
  readonly reportTo: (report: (problem: string) => void) => void
  /**
   * For an error that nobody caught: what the program holds in memory can no longer be trusted, so it reports the error
   * and ends in order; its supervisor starts it again. Nothing that a partner sends may lead here.
   */
  readonly endOnUnknownError: (report: (error: unknown) => void) => void
}

/** Resolves when the program has started; it then lives until it is told to end. Throws what the start failed by. */
export async function live(start: (life: Life) => Promise<void>): Promise<void> {
  const ending = new AbortController()
  const [sayings, parts]: [Closable[], Closable[]] = [[], []]
  let report = (problem: string): void => void process.stderr.write(`  ${problem}\n`)
  let exitCode = 0
  let hasStarted = () => {}
  const started = new Promise<void>((resolve) => (hasStarted = resolve))
  const close = (all: Closable[]) => closeAll(all, (problem) => report(problem))
  const endInOrder = async () => {
    await close(sayings)
    await within(START_PATIENCE_MS, started, null)
    await close(parts)
  }
  const end = (code: number) => {
    exitCode = Math.max(exitCode, code)
    if (ending.signal.aborted) return
    ending.abort(new Error('The program was told to end.'))
    const late = sleep(LONGEST_MS).then(() => report('gave up waiting'))
    void Promise.race([endInOrder(), late]).then(() => process.exit(exitCode))
  }
  onStopSignal(() => end(0))
  try {
    await start({
      ending: ending.signal,
      closeFirst: (name, closePart) => {
        parts.unshift({ name, close: closePart })
        ending.signal.throwIfAborted()
      },
      sayFirst: (name, say) => void sayings.push({ name, close: async () => say() }),
      reportTo: (other) => (report = other),
      endOnUnknownError: (tell) =>
        void process.on('uncaughtException', (error) => {
          tell(error)
          end(1)
        }),
    })
  } catch (error) {
    // What was told to end has not failed.
    if (ending.signal.aborted) return
    await closeAll(parts, () => undefined)
    throw error
  } finally {
    hasStarted()
  }
}

function onStopSignal(end: () => void): void {
  let askedAt: number | null = null
  const stop = (signal: NodeJS.Signals) => {
    if (askedAt !== null) {
      // A terminal, npm and a supervisor may each pass on the same wish. Only a person who asks again after a while
      // means: never mind what is under way.
      if (signal === 'SIGINT' && monotonicMs() - askedAt > ONE_WISH_MS) process.exit(130)
      return
    }
    askedAt = monotonicMs()
    end()
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // The terminal was closed, which counts as being asked.
  process.on('SIGHUP', stop)
}

/** Also what is opened meanwhile. */
async function closeAll(parts: Closable[], report: (problem: string) => void): Promise<void> {
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const { name, close } = part
    await close().catch((error: unknown) => report(`${name}: ${String(error)}`))
  }
}
