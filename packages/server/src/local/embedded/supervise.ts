import { monotonicMs, sleep } from '../../core/clock.ts'
import { isAlive } from './processes.ts'

export type SupervisionNews =
  | { readonly kind: 'gone' }
  | { readonly kind: 'back'; readonly attempts: number }
  /** It could not be started; the next attempt comes after the pause. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly nextInMs: number }

export interface Supervised {
  /** The process of the server that runs now; null when none does. */
  readonly findPid: () => number | null
  /** Resolves when that one has ended; null where nobody tells, and it is looked at from time to time. */
  readonly untilEnded?: () => Promise<void> | null
  /** Starts it again, at the same address. */
  readonly restart: () => Promise<void>
  readonly shutDown: () => Promise<void>
  readonly onNews: (news: SupervisionNews) => void
}

// For a server that does not tell of its end. A look is one system call; the time until a dead server is noticed is added to every outage.
const LOOK_EVERY_MS = 250
const SHORTEST_PAUSE_MS = 250
/**
 * The longest pause, however long it has been dead: a person who mends the cause, such as a full disk, should not wait
 * for us.
 */
const LONGEST_PAUSE_MS = 15_000
/** One that dies again sooner than this has not really been back, and the pauses go on growing. */
const STEADY_AFTER_MS = 60_000

/** Keeps the server running until it is stopped: whatever ended it, it is started again, with growing pauses. */
export function supervise(server: Supervised): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  let pauseMs = SHORTEST_PAUSE_MS

  const bringBack = async () => {
    for (let attempts = 1; !signal.aborted; attempts += 1) {
      try {
        if (server.findPid() === null) await server.restart()
        return server.onNews({ kind: 'back', attempts })
      } catch (error) {
        if (signal.aborted) return
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
        server.onNews({ kind: 'failed', error, nextInMs: pauseMs })
        await sleep(pauseMs, signal)
      }
    }
  }
  const watch = async () => {
    let pid = server.findPid()
    let backAt = monotonicMs()
    while (!signal.aborted) {
      if (pid === null || !isAlive(pid)) {
        server.onNews({ kind: 'gone' })
        if (monotonicMs() - backAt > STEADY_AFTER_MS) pauseMs = SHORTEST_PAUSE_MS
        else await sleep(pauseMs, signal)
        await bringBack()
        pid = server.findPid()
        backAt = monotonicMs()
      }
      await Promise.race([server.untilEnded?.() ?? sleep(LOOK_EVERY_MS, signal), stopped])
    }
  }
  const watching = watch()
  return {
    stop: async () => {
      stopping.abort()
      // A start that is under way is ended as well; one that came through at that very moment is stopped after it.
      await server.shutDown()
      await watching
      await server.shutDown()
    },
  }
}
