// What an action of the domain may use. Built once, in compose.ts; tests build their own.
import type { Environment, RailName } from '@kestrel/contract'

import type { Clock } from '../core/clock.ts'
import type { Operator } from '../core/operator.ts'
import type { Studio } from '../documents/studio.ts'
import type { Mailer, Post } from '../mail/mail.ts'
import type { PartnerBank } from '../rail/partner-bank.ts'
import type { PayoutRail } from '../rail/rail.ts'
import type { SandboxControls } from '../rail/sandbox-controls.ts'
import type { Database, Reports } from '../storage/sql.ts'
import type { RateBook } from './quotes/rate-book.ts'
import type { AlarmBook } from './watch/alarm-book.ts'

export interface DataKeys {
  /** Encrypts recipients at rest. */
  readonly sealKey: Buffer
  /** Keys the hashes by which repeated requests and recipients are recognised. */
  readonly fingerprintKey: Buffer
  /** Those from before the newest: what they made is still read and recognised. */
  readonly olderSealKeys?: readonly Buffer[]
  readonly olderFingerprintKeys?: readonly Buffer[]
}

export interface Deps {
  /** For what a payout needs, and everything else that is small. */
  readonly db: Database
  /** For lists, sums, exports, documents and proofs: what reads much waits here for its own kind alone. */
  readonly reports: Reports
  readonly clock: Clock
  readonly secrets: DataKeys
  readonly rails: Readonly<Record<RailName, PayoutRail>>
  /** What partners need at the bank besides payments; null where no bank is configured. */
  readonly banks: Readonly<Record<Environment, PartnerBank | null>>
  /** What steers the sandbox's bank; null unless that is our own. */
  readonly sandboxControls: SandboxControls | null
  readonly rates: RateBook
  /** Who runs the service, for invoices. */
  readonly operator: Operator
  /** Where documents are drawn and pictures made anew. */
  readonly studio: Studio
  /** Null where there is no mail server: mail is kept in the mailbox instead. */
  readonly mailer: Mailer | null
  readonly post: Post
  /** Tells the operator of something that must not stay unseen. Ids only, never details. */
  readonly onAlarm: (
    what: string,
    about: Readonly<Record<string, unknown>>,
    /** It is written down by a transaction of the caller's own. */
    isWritten?: 'written',
  ) => void
  /** Where alarms are written down until somebody has dealt with them. */
  readonly alarms: AlarmBook
}
