// What an action of the domain may use. Built once, in compose.ts; tests build their own.
import type { Environment } from '@kestrel/contract'

import type { Clock } from '../core/clock.ts'
import type { PayoutRail } from '../rail/rail.ts'
import type { Database } from '../storage/sql.ts'

export interface Secrets {
  /** Encrypts recipients at rest. */
  readonly sealKey: Buffer
  /** Keys the hashes by which repeated requests and recipients are recognised. */
  readonly fingerprintKey: Buffer
}

export interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly secrets: Secrets
  readonly rails: Readonly<Record<Environment, PayoutRail>>
}
