// Chooses the modulus table that this process checks live payouts with: the bundled one, one from the operator, or
// none. Chosen once, at the start, so that an unusable file ends the start and not a payout.
import { statSync } from 'node:fs'

import { BUNDLED_TABLE_DATE, loadModulusTable } from './load-modulus-table.ts'
import type { ModulusTable } from './weight-table.ts'

/** `none` leaves the check to the bank; null is the bundled table. */
export type TableChoice = string | null

let chosen: TableChoice = null

/** Vocalink publishes several tables per year: after this long there is a newer one. */
export const TABLE_IS_OLD_MS = 183 * 24 * 60 * 60_000

/** Reads the table, and throws a plain message when it cannot be used. */
export function chooseModulusTable(choice: TableChoice): void {
  if (choice !== 'none') loadModulusTable(choice === null ? {} : { weightTablePath: choice })
  chosen = choice
}

/** Null when the bank's own answer is to count. */
export function chosenModulusTable(): ModulusTable | null {
  if (chosen === 'none') return null
  return loadModulusTable(chosen === null ? {} : { weightTablePath: chosen })
}

/** The table's date. It is known for the bundled one; for a file it is the file's own date. */
export function modulusTableDate(): Date | null {
  if (chosen === 'none') return null
  return chosen === null ? BUNDLED_TABLE_DATE : statSync(chosen).mtime
}
