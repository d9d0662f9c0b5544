// What every file of routes is given.
import type { FastifyInstance } from 'fastify'

import type { ActivityRecorder } from '../../domain/activity/activity-recorder.ts'
import type { ChangeFeed } from '../../domain/changes/change-feed.ts'
import type { PayoutDeps } from '../../domain/payouts/create/create-payout.ts'

export type ServerDeps = PayoutDeps & { readonly activity: ActivityRecorder; readonly changes: ChangeFeed }

export interface RouteContext {
  readonly app: FastifyInstance
  readonly deps: ServerDeps
  /** The address that callers use, without a final slash. */
  readonly publicUrl: string
  readonly dashboard: DashboardOptions
}

export interface DashboardOptions {
  /** Whether anybody may open an account. */
  readonly isSignUpOpen: boolean
  /**
   * The token that opens the mailbox, where there is no mail server and only this machine uses the service; null: no
   * mailbox.
   */
  readonly mailboxToken: string | null
  /** The operator's address for questions. */
  readonly contactEmail: string | null
  /** The folder of the built pages. */
  readonly folder: string
}
