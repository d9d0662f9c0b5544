// Shapes that the dashboard's endpoints answer with and that the contract does not have yet.
import type { ActivityEntry, ApiKey, ApiKeyCreated, Environment, Member, Payout, PayoutStatus } from '@kestrel/contract'

export type DashboardErrorCode =
  | 'sign_up_closed'
  | 'code_not_accepted'
  | 'confirm_code_required'
  | 'member_exists'
  | 'last_admin'
  | 'simulation_unavailable'
  | 'cross_site_request'

export type Role = 'admin' | 'viewer'

export interface List<T> {
  readonly object: 'list'
  readonly data: readonly T[]
}

export interface AuthOptions {
  readonly object: 'auth_options'
  readonly sign_up: boolean
  readonly mailbox_url: string | null
}

export interface CodeSent {
  readonly object: 'code_sent'
  readonly expires_in: number
  readonly resend_after: number
}

export interface SessionPartner {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly status: string
  readonly logo_url: string | null
  readonly brand_color: string | null
  readonly verification_status: string
}

export interface Session {
  readonly object: 'session'
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly partner: SessionPartner
  readonly partners: readonly { readonly slug: string; readonly name: string; readonly role: Role }[]
  readonly expires_at: string
  readonly sandbox_key?: string | undefined
}

export interface SignedInDevice {
  readonly id: string
  readonly created_at: string
  readonly last_seen_at: string
  readonly user_agent: string | null
  readonly ip: string | null
  readonly is_current: boolean
}

export type TeamMember = Member & { readonly id: string; readonly invited_by: string | null }

export type Key = ApiKey & {
  readonly created_by: string | null
  readonly expires_at: string | null
  readonly replaced_by: string | null
}

export type KeyCreated = ApiKeyCreated & { readonly replaces?: string }

export type Grace = 0 | 3600 | 86_400 | 604_800

export interface ConfirmCodeSent {
  readonly object: 'confirm_code'
  readonly sent_to: string
  readonly expires_at: string
  readonly amount_gbp: string
  readonly recipient_name: string
}

export interface StatusSum {
  readonly count: number
  readonly amount_gbp: string
}

export interface PayoutSummary {
  readonly object: 'payout_summary'
  readonly count: number
  readonly amount_gbp: string
  readonly fee_gbp: string
  readonly by_status: Readonly<Partial<Record<PayoutStatus, StatusSum>>>
}

export interface PayoutDay {
  readonly date: string
  readonly completed_gbp: string
  readonly other_gbp: string
  readonly fees_gbp: string
  readonly count: number
  readonly by_status: Readonly<Partial<Record<PayoutStatus, number>>>
}

export type TimelineKind =
  | 'created'
  | 'reserved'
  | 'sent'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'returned'
  | 'refunded'
  | 'waiting'

export interface TimelineEntry {
  readonly at: string
  readonly kind: TimelineKind
  readonly by: string | null
  readonly usdc: string | null
  readonly detail: string | null
}

export interface Timeline extends List<TimelineEntry> {
  readonly quote: {
    readonly gbp_per_usd: number
    readonly fee_in_transfer_gbp: string
    readonly fee_on_invoice_gbp: string
  }
  readonly idempotency_key: string
  readonly is_cancellable: boolean
  readonly next: string | null
}

export type Outcome = 'settle' | 'return' | 'fail' | 'cancel'

export interface TopUp {
  readonly object: 'top_up'
  readonly usdc: string
  readonly source: 'bank' | 'chain'
}

export type Activity = ActivityEntry & {
  readonly id: string
  readonly request_id: string | null
  readonly method: string | null
  readonly path: string | null
  readonly duration_ms: number | null
  readonly ip: string | null
  readonly key_id: string | null
}

export interface Settings {
  readonly object: 'settings'
  readonly name: string
  readonly slug: string
  readonly logo_url: string | null
  readonly brand_color: string | null
  readonly billing_email: string | null
  readonly contact_email: string | null
  readonly low_balance_usdc: string | null
}

export interface SettingsChange {
  readonly name?: string
  readonly brand_color?: string | null
  readonly billing_email?: string
  readonly contact_email?: string
  readonly low_balance_usdc?: string | null
}

export interface StreamedPayout {
  readonly id: Payout['id']
  readonly status: PayoutStatus
  readonly updated_at: string
}

export type { Environment, Payout, PayoutStatus }
