// What `npm start` prints while it starts: one line per step.
import { relative } from 'node:path'

import { readEnv } from '../config/env.ts'
import { monotonicMs } from '../core/clock.ts'
import { paintFor, renderNote, renderStep } from '../local/front-door/index.ts'

export type FrontDoor = ReturnType<typeof frontDoor>

interface StepResult {
  readonly label: string
  readonly detail: string
  readonly notes?: readonly string[]
}

/** What is told to end takes no more steps. */
export function frontDoor(ending: AbortSignal) {
  const paint = paintFor(process.stdout, readEnv())
  const print = (text: string) => void process.stdout.write(`${text}\n`)
  return {
    paint,
    print,
    async step<T extends StepResult>(work: () => Promise<T>): Promise<T> {
      ending.throwIfAborted()
      const started = monotonicMs()
      const result = await work()
      ending.throwIfAborted()
      for (const note of result.notes ?? []) print(renderNote(note, paint))
      print(renderStep({ label: result.label, detail: result.detail, ms: monotonicMs() - started }, paint))
      return result
    },
  }
}

export function shortPath(path: string): string {
  const fromHere = relative(process.cwd(), path)
  return fromHere.startsWith('..') ? path : fromHere
}
