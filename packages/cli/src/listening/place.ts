// Where a listener is: the last event that was passed on, in a file, so that the next start goes on after it.
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'

import { folderOf, makePrivately, readIfThere, readKept, writePrivately } from '../private-files.ts'
import type { Surroundings } from '../surroundings.ts'

/** Whose events go where. Another key of the same account goes on at the same place. */
export interface Route {
  readonly url: string
  readonly account: string
  readonly environment: string
  readonly forwardTo: string
  readonly types: readonly string[]
}

export interface Place {
  /** Undefined at the first start; null if nothing had happened yet when it began. */
  last(): string | null | undefined
  save(last: string | null): void
}

export function placeOf(around: Surroundings, route: Route): Place {
  const { url, account, environment, forwardTo, types } = route
  const text = JSON.stringify([url, account, environment, forwardTo, types.toSorted()])
  const name = createHash('sha256').update(text).digest('hex').slice(0, 24)
  const path = join(folderOf(around), 'listen', `${name}.json`)
  return {
    last: () => readKept(path, isPlace, WITHOUT_PLACE)?.last,
    save: (last) => writePrivately(path, `${JSON.stringify({ ...route, last })}\n`),
  }
}

const WITHOUT_PLACE =
  'It says which event was passed on last. Say where to go on instead: --after with its id, --from-oldest, or --from-now.'

function isPlace(kept: object): kept is { last: string | null } {
  return 'last' in kept && (kept.last === null || typeof kept.last === 'string')
}

/** The same on this machine for ever: a receiver is told it once. */
export function webhookSecret(around: Surroundings): string {
  const path = join(folderOf(around), 'webhook-secret')
  makePrivately(path, `whsec_${randomBytes(32).toString('base64')}`)
  return readIfThere(path)!.trim()
}
