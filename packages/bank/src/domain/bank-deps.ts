// What every action of the bank is handed.
import type { BankClock } from '../core/bank-clock.ts'
import type { BankIdentity } from '../storage/bank-state.ts'
import type { Database } from '../storage/sql.ts'
import type { Appearances } from './appearances.ts'
import type { Pace } from './pace.ts'
import type { Readings } from './readings.ts'

export interface BankDeps {
  readonly db: Database
  readonly clock: BankClock
  readonly pace: Pace
  readonly identity: BankIdentity
  readonly readings: Readings
  readonly appearances: Appearances
  /** Where the bank can be reached; known once it listens. */
  publicUrl(): string
}
