// Which modulus table this process checks live payouts with: the bundled one, one that the operator gave, or none. It is
// chosen once, at the start, so that a file that cannot be used ends the start and not a payout.
import { statSync } from 'node:fs'

import { BUNDLED_TABLE_DATE, loadModulusTable } from './load-modulus-table.ts'
import type { ModulusTable } from './weight-table.ts'

/** `none` leaves the answer to the bank; null is the bundled table. */
export type TableChoice = string | null

let chosen: TableChoice = null

/** Vocalink publishes several a year: after this long there is a newer one. */
export const TABLE_IS_OLD_MS = 183 * 24 * 60 * 60_000

/** Reads the table, and throws in words when it cannot be used. */
export function chooseModulusTable(choice: TableChoice): void {
  if (choice !== 'none') loadModulusTable(choice === null ? {} : { weightTablePath: choice })
  chosen = choice
}

/** Null when the bank's own answer is to count. */
export function chosenModulusTable(): ModulusTable | null {
  if (chosen === 'none') return null
  return loadModulusTable(chosen === null ? {} : { weightTablePath: chosen })
}

/** From when the table is: of the bundled one it is known, a file is taken to be as old as it looks. */
export function modulusTableDate(): Date | null {
  if (chosen === 'none') return null
  return chosen === null ? BUNDLED_TABLE_DATE : statSync(chosen).mtime
}
