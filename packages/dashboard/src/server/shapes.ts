// The contract's shapes under the names that the pages use, and the few that are the browser's own.
import type {
  ActivityEntry,
  ApiKey,
  ApiKeyCreated,
  ChangeSettingsRequest,
  KeyRotation,
  Member,
  MemberRole,
  OwnSession,
  PayoutEvent,
  PayoutStatus,
  PayoutTimeline,
  Session,
  SimulateRequest,
} from '@kestrel/contract'

export type {
  AuthOptions,
  CodeSent,
  ConfirmCodeSent,
  DoorCodeRequest,
  DoorCodeSent,
  Invitation,
  OwnInvitation,
  PayoutDay,
  PayoutStatus,
  PayoutSummary,
  Session,
  Settings,
  TopUp,
} from '@kestrel/contract'

export type OwnBusiness = Session['partners'][number]

export interface List<T> {
  readonly object: 'list'
  readonly data: readonly T[]
}

export type Role = MemberRole
export type SignedInDevice = OwnSession
export type TeamMember = Member
export type Key = ApiKey
export type KeyCreated = ApiKeyCreated
export type Grace = KeyRotation['grace_seconds']
export type TimelineKind = PayoutEvent['kind']
export type TimelineEntry = PayoutEvent
export type Timeline = PayoutTimeline
export type Outcome = SimulateRequest['outcome']
export type Activity = ActivityEntry
export type SettingsChange = ChangeSettingsRequest

/** What an event of the stream carries. */
export interface StreamedPayout {
  readonly id: string
  readonly status: PayoutStatus
  readonly updated_at: string
}
