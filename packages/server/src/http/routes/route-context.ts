// What every file of routes is handed.
import type { FastifyInstance } from 'fastify'

import type { ActivityRecorder } from '../../domain/activity/activity-recorder.ts'
import type { PayoutDeps } from '../../domain/payouts/create-payout.ts'

export interface RouteContext {
  readonly app: FastifyInstance
  readonly deps: PayoutDeps & { readonly activity: ActivityRecorder }
  /** The address that callers use, without a slash at its end. */
  readonly publicUrl: string
}
