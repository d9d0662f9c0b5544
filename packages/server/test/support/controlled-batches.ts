// Batches that begin and end when a test says so.
import { setImmediate as nextTurn } from 'node:timers/promises'

import { Crew } from '../../src/core/crew.ts'
import { type InLane, type SharedBatchOptions, SharedBatches } from '../../src/core/shared-batches.ts'

export class Refused extends Error {}
export class KeptWaiting extends Error {}
export class Lost extends Error {}

interface Batch {
  readonly items: readonly string[]
  finish(): void
  fail(error: Error, which?: string): void
}

/** Batches that wait until the test finishes them. An item is its lane and a number; its result is the same with an "!". */
export function controlled(options: Partial<SharedBatchOptions<number, string>> = {}) {
  const batches: Batch[] = []
  const nameOf = ({ lane, item }: InLane<number>) => `${lane}${item}`
  const shared = new SharedBatches<number, string>({
    run: (batch) =>
      new Promise((resolve, reject) => {
        const items = batch.map(nameOf)
        const outcomes = (error?: Error, which?: string) =>
          items.map((name) =>
            error !== undefined && name === which
              ? ({ ok: false, error } as const)
              : ({ ok: true, value: `${name}!` } as const),
          )
        batches.push({
          items,
          finish: () => resolve(outcomes()),
          fail: (error, which) => (which === undefined ? reject(error) : resolve(outcomes(error, which))),
        })
      }),
    crew: new Crew({ most: 2, mostLanes: 3, patienceMs: 60_000 }),
    largestBatch: 4,
    longestQueue: 10,
    onFull: () => new Error('full'),
    mayRetryApart: (error) => error instanceof Refused || error instanceof KeptWaiting,
    mayRetrySingly: (error) => error instanceof Refused,
    ...options,
  })
  const submit = (...names: string[]) =>
    names.map((name) =>
      shared
        .submit(name.slice(0, 1), Number.parseInt(name.slice(1), 10))
        .catch((error: Error) => error.constructor.name),
    )
  return { submit, batches, begun: () => batches.map(({ items }) => items.join(' ')) }
}

/** So many turns that whatever may set out has done so. */
export async function gathered(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await nextTurn()
}
