// What the domain's actions may use. Built once, in compose.ts; tests build their own.
import type { Environment } from '@kestrel/contract'

import type { Clock } from '../core/clock.ts'
import type { Operator } from '../core/operator.ts'
import type { Scope } from '../core/scope.ts'
import type { Studio } from '../documents/studio.ts'
import type { Mailer, Post } from '../mail/mail.ts'
import type { WebhookSender } from '../outbound/send-webhook.ts'
import type { PartnerBank, SandboxControls } from '../rail/port.ts'
import type { Rails } from '../rail/which-rail.ts'
import type { Database, Reports } from '../storage/sql.ts'
import type { RateBook } from './quotes/rate-book.ts'
import type { AlarmBook } from './watch/alarm-book.ts'
import type { AlarmName } from './watch/alarms/alarm-catalogue.ts'

export interface DataKeys {
  /** Encrypts recipients at rest. */
  readonly sealKey: Buffer
  /** Keys the hashes by which repeated requests and recipients are recognised. */
  readonly fingerprintKey: Buffer
  /** Older keys: what they made is still read and recognised. */
  readonly olderSealKeys?: readonly Buffer[]
  readonly olderFingerprintKeys?: readonly Buffer[]
}

/** How partners' receivers are spoken to. */
export interface Outbound {
  readonly sender: WebhookSender
  /** Whether a sandbox may send to this machine: the service runs for this machine alone. */
  readonly mayReachThisMachine: boolean
  /** Events of a wallet as they are sent, by their ids: what their own GET answers. */
  readonly eventTexts: (scope: Scope, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

export interface Deps extends Rails {
  /** For payouts, and everything else that is small. */
  readonly db: Database
  /** For lists, sums, exports, documents and proofs: large reads wait here only for each other. */
  readonly reports: Reports
  readonly clock: Clock
  readonly secrets: DataKeys
  /** What partners need at the bank besides payments; null where no bank is configured. */
  readonly banks: Readonly<Record<Environment, PartnerBank | null>>
  /** The controls of the sandbox bank; null unless it is our own. */
  readonly sandboxControls: SandboxControls | null
  readonly rates: RateBook
  /** The business that runs the service, for invoices. */
  readonly operator: Operator
  /** Draws documents, and draws uploaded pictures anew. */
  readonly studio: Studio
  /** Null without a mail server: mail is then kept in the mailbox. */
  readonly mailer: Mailer | null
  readonly post: Post
  readonly outbound: Outbound
  /** Tells the operator of something that must not go unseen. Ids only, never details. */
  readonly onAlarm: (
    what: AlarmName,
    about: Readonly<Record<string, unknown>>,
    /** The caller's own transaction stores the alarm. */
    isWritten?: 'written',
  ) => void
  /** Stores alarms until somebody has dealt with them. */
  readonly alarms: AlarmBook
}
