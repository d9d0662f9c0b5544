// Written by `npm run docs` from docs/openapi.json. Do not edit.
import type { Money } from '../money.ts'
import type { Account, ActivityDetail, ActivityList, AdvanceRequest, Advanced, RehearsalInvoice, SandboxReset, ApiKeyList, AuditHeadList, AuditLog, Balance, Compliance, CreatePayoutRequest, Event, EventList, Funding, GoLive, InvitationList, Invoice, InvoiceList, InvoicedPayoutList, MemberList, Payout, PayoutCreated, PayoutDayList, PayoutList, PayoutPause, PayoutSummary, PayoutTimeline, Quote, QuoteRequest, RecipientList, Settings, SimulateRequest, TopUp, TopUpRequest, Statement, Usage, NewWebhookEndpoint, WebhookEndpoint, WebhookEndpointChange, WebhookEndpointDeleted, WebhookEndpointList, WebhookEndpointWithSecret, WebhookSecretRotation, Redelivery, WebhookDeliveriesMade, WebhookDeliveryList, WebhookDeliveryWithAttempts, WebhookReplay, WebhookReplayStarted, WebhookTest, WebhookTestResult } from './types.ts'

/** What each operation of an API key takes and answers. */
export interface Operations {
  /** Create a payout */
  'POST /v1/payouts': {
    path?: Record<string, never>
    query?: Record<string, never>
    body: CreatePayoutRequest
    answer: Payout | PayoutCreated
  }
  /** List payouts */
  'GET /v1/payouts': {
    path?: Record<string, never>
    query?: {
      /** Payouts that have this status now, or one of several: with commas between them, or the parameter several times. */
      status?: 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'returned' | readonly ('pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'returned')[]
      /** Created at or after this moment. */
      created_from?: string
      /** Created before this moment. */
      created_to?: string
      /** First completed at or after this moment, whatever became of it since: as usage and invoices count. */
      completed_from?: string
      /** First completed before this moment. */
      completed_to?: string
      /** Failed, cancelled or returned at or after this moment. */
      ended_from?: string
      /** Failed, cancelled or returned before this moment. */
      ended_to?: string
      /** Failed, cancelled or returned for this reason. */
      failure_code?: 'account_not_found' | 'account_closed' | 'account_blocked' | 'account_moved' | 'account_holder_deceased' | 'currency_not_accepted' | 'name_mismatch' | 'reference_needed' | 'refused_by_recipient' | 'invalid_recipient' | 'rejected_by_bank' | 'cancelled' | 'other'
      /** Through the API, or in the dashboard. */
      created_via?: 'api' | 'dashboard'
      /** At least this many pounds. */
      amount_from?: Money
      /** At most this many pounds. */
      amount_to?: Money
      /** Exactly this reference. */
      reference?: string
      /** Made with exactly this key. */
      idempotency_key?: string
      /** What a person would type to find a payout: words that begin words of the name or of the reference, the last four digits of the account, an amount such as `25.00`, or an id from its beginning. Of the words the first twelve count. */
      q?: string
      /** How many to a page. */
      limit?: number
      /** `next_cursor` of the page before. */
      cursor?: string
    }
    answer: PayoutList
  }
  /** Read the activity with its hashes */
  'GET /v1/activity/chain': {
    path?: Record<string, never>
    query?: {
      /** Which chain: by default that of the environment. `account` has what is about neither. */
      chain?: 'sandbox' | 'live' | 'account'
      /** The position of the last entry that you have; 0 by default. */
      after?: number
      /** At most 1000. */
      limit?: number
    }
    answer: AuditLog
  }
  /** List the signed heads of the activity */
  'GET /v1/activity/heads': {
    path?: Record<string, never>
    query?: {
      /** Which chain: by default that of the environment. `account` has what is about neither. */
      chain?: 'sandbox' | 'live' | 'account'
      /** Heads of days (UTC) before this one. */
      before?: string
      /** At most 400. */
      limit?: number
    }
    answer: AuditHeadList
  }
  /** Read the account */
  'GET /v1/account': {
    path?: Record<string, never>
    query?: Record<string, never>
    answer: Account
  }
  /** Read the balance */
  'GET /v1/balance': {
    path?: Record<string, never>
    query?: Record<string, never>
    answer: Balance
  }
  /** Read compliance */
  'GET /v1/compliance': {
    path?: Record<string, never>
    query?: Record<string, never>
    answer: Compliance
  }
  /** Read what is left before live */
  'GET /v1/go-live': {
    path?: Record<string, never>
    query?: Record<string, never>
    answer: GoLive
  }
  /** List activity */
  'GET /v1/activity': {
    path?: Record<string, never>
    query?: {
      /** Exactly this action. */
      action?: string
      /** Exactly this caller, as `by` names it. */
      by?: string
      /** How they ended. */
      status_class?: '2xx' | '4xx' | '5xx'
      /** With a key, or signed in. */
      via?: 'api' | 'dashboard'
      /** Leaves out requests that only read. */
      only?: 'changes'
      /** Only what was asked in this environment. Without it, both. */
      in_environment?: 'sandbox' | 'live'
      /** At or after this moment. */
      from?: string
      /** Before this moment. */
      to?: string
      /** Part of a path or of an error code, a status, the id of a request or of what it was about, or an idempotency key. */
      q?: string
      /** Leaves out looks at this log by members, so that a page that follows it does not fill it. */
      hide?: 'log_reads'
      /** How many. */
      limit?: number
      /** The `id` of an entry: only those before it. */
      before?: string
    }
    answer: ActivityList
  }
  /** Export activity */
  'GET /v1/activity/export.csv': {
    path?: Record<string, never>
    query?: {
      /** Exactly this action. */
      action?: string
      /** Exactly this caller, as `by` names it. */
      by?: string
      /** How they ended. */
      status_class?: '2xx' | '4xx' | '5xx'
      /** With a key, or signed in. */
      via?: 'api' | 'dashboard'
      /** Leaves out requests that only read. */
      only?: 'changes'
      /** Only what was asked in this environment. Without it, both. */
      in_environment?: 'sandbox' | 'live'
      /** At or after this moment. */
      from?: string
      /** Before this moment. */
      to?: string
      /** Part of a path or of an error code, a status, the id of a request or of what it was about, or an idempotency key. */
      q?: string
      /** Leaves out looks at this log by members, so that a page that follows it does not fill it. */
      hide?: 'log_reads'
    }
    answer: Response
  }
  /** Read one request of the activity */
  'GET /v1/activity/{id}': {
    path: {
      /** The id of the entry, a UUID: the `X-Request-Id`. */
      id: string
    }
    query?: Record<string, never>
    answer: ActivityDetail
  }
  /** List recipients */
  'GET /v1/recipients': {
    path?: Record<string, never>
    query?: Record<string, never>
    answer: RecipientList
  }
  /** Quote a payout */
  'POST /v1/quotes': {
    path?: Record<string, never>
    query?: Record<string, never>
    body: QuoteRequest
    answer: Quote
  }
  /** Sum payouts up */
  'GET /v1/payouts/summary': {
    path?: Record<string, never>
    query?: {
      /** Payouts that have this status now, or one of several: with commas between them, or the parameter several times. */
      status?: 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'returned' | readonly ('pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'returned')[]
      /** Created at or after this moment. */
      created_from?: string
      /** Created before this moment. */
      created_to?: string
      /** First completed at or after this moment, whatever became of it since: as usage and invoices count. */
      completed_from?: string
      /** First completed before this moment. */
      completed_to?: string
      /** Failed, cancelled or returned at or after this moment. */
      ended_from?: string
      /** Failed, cancelled or returned before this moment. */
      ended_to?: string
      /** Failed, cancelled or returned for this reason. */
      failure_code?: 'account_not_found' | 'account_closed' | 'account_blocked' | 'account_moved' | 'account_holder_deceased' | 'currency_not_accepted' | 'name_mismatch' | 'reference_needed' | 'refused_by_recipient' | 'invalid_recipient' | 'rejected_by_bank' | 'cancelled' | 'other'
      /** Through the API, or in the dashboard. */
      created_via?: 'api' | 'dashboard'
      /** At least this many pounds. */
      amount_from?: Money
      /** At most this many pounds. */
      amount_to?: Money
      /** Exactly this reference. */
      reference?: string
      /** Made with exactly this key. */
      idempotency_key?: string
      /** What a person would type to find a payout: words that begin words of the name or of the reference, the last four digits of the account, an amount such as `25.00`, or an id from its beginning. Of the words the first twelve count. */
      q?: string
    }
    answer: PayoutSummary
  }
  /** List payouts by day */
  'GET /v1/payouts/daily': {
    path?: Record<string, never>
    query?: {
      /** How many days, today included. */
      days?: 7 | 14 | 30
      /** Instead of the last days, those of this month up to today, each with the payouts that first completed on it, whatever happened to them since. They add up to the usage of the month. */
      completed_in?: string
    }
    answer: PayoutDayList
  }
  /** Export payouts */
  'GET /v1/payouts/export.csv': {
    path?: Record<string, never>
    query?: {
      /** Payouts that have this status now, or one of several: with commas between them, or the parameter several times. */
      status?: 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'returned' | readonly ('pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'returned')[]
      /** Created at or after this moment. */
      created_from?: string
      /** Created before this moment. */
      created_to?: string
      /** First completed at or after this moment, whatever became of it since: as usage and invoices count. */
      completed_from?: string
      /** First completed before this moment. */
      completed_to?: string
      /** Failed, cancelled or returned at or after this moment. */
      ended_from?: string
      /** Failed, cancelled or returned before this moment. */
      ended_to?: string
      /** Failed, cancelled or returned for this reason. */
      failure_code?: 'account_not_found' | 'account_closed' | 'account_blocked' | 'account_moved' | 'account_holder_deceased' | 'currency_not_accepted' | 'name_mismatch' | 'reference_needed' | 'refused_by_recipient' | 'invalid_recipient' | 'rejected_by_bank' | 'cancelled' | 'other'
      /** Through the API, or in the dashboard. */
      created_via?: 'api' | 'dashboard'
      /** At least this many pounds. */
      amount_from?: Money
      /** At most this many pounds. */
      amount_to?: Money
      /** Exactly this reference. */
      reference?: string
      /** Made with exactly this key. */
      idempotency_key?: string
      /** What a person would type to find a payout: words that begin words of the name or of the reference, the last four digits of the account, an amount such as `25.00`, or an id from its beginning. Of the words the first twelve count. */
      q?: string
    }
    answer: Response
  }
  /** Read a payout */
  'GET /v1/payouts/{id}': {
    path: {
      /** The id of the payout, a UUID. */
      id: string
    }
    query?: Record<string, never>
    answer: Payout
  }
  /** Cancel a payout */
  'POST /v1/payouts/{id}/cancel': {
    path: {
      /** The id of the payout, a UUID. */
      id: string
    }
    query?: Record<string, never>
    answer: Payout
  }
  /** Pause all payouts */
  'POST /v1/payouts/pause': {
    path?: Record<string, never>
    query?: Record<string, never>
    answer: PayoutPause
  }
  /** Read what happened to a payout */
  'GET /v1/payouts/{id}/timeline': {
    path: {
      /** The id of the payout, a UUID. */
      id: string
    }
    query?: Record<string, never>
    answer: PayoutTimeline
  }
  /** Read a payout as a PDF */
  'GET /v1/payouts/{id}/receipt.pdf': {
    path: {
      /** The id of the payout, a UUID. */
      id: string
    }
    query?: Record<string, never>
    answer: Response
  }
  /** List events */
  'GET /v1/events': {
    path?: Record<string, never>
    query?: {
      /** Events of this type, or of one of several: with commas between them, or the parameter several times. */
      type?: 'payout.created' | 'payout.pending' | 'payout.processing' | 'payout.completed' | 'payout.failed' | 'payout.cancelled' | 'payout.returned' | 'payout.refunded' | 'balance.low' | 'balance.recovered' | 'deposit.received' | 'invoice.issued' | 'invoice.paid' | 'invoice.overdue' | 'invoice.void' | 'verification.changed' | 'api_key.created' | 'api_key.changed' | 'api_key.rotated' | 'api_key.revoked' | 'member.limits_changed' | 'webhook_endpoint.disabled' | readonly ('payout.created' | 'payout.pending' | 'payout.processing' | 'payout.completed' | 'payout.failed' | 'payout.cancelled' | 'payout.returned' | 'payout.refunded' | 'balance.low' | 'balance.recovered' | 'deposit.received' | 'invoice.issued' | 'invoice.paid' | 'invoice.overdue' | 'invoice.void' | 'verification.changed' | 'api_key.created' | 'api_key.changed' | 'api_key.rotated' | 'api_key.revoked' | 'member.limits_changed' | 'webhook_endpoint.disabled')[]
      /** Events about this one alone: the id of a payout, for example. */
      subject?: string
      /** The id of an event: what came after it, the oldest first. An id that is unknown here answers 404. */
      after?: string
      /** How many to a page. */
      limit?: number
      /** `next_cursor` of the page before. */
      cursor?: string
    }
    answer: EventList
  }
  /** Read an event */
  'GET /v1/events/{id}': {
    path: {
      /** The id of the event, a UUID. */
      id: string
    }
    query?: Record<string, never>
    answer: Event
  }
  /** Stream changes */
  'GET /v1/stream': {
    path?: Record<string, never>
    query?: {
      /** Whether events are sent, or hints alone. `all` is usual for a key, `none` in a session. */
      events?: 'all' | 'none'
      /** The same as `Last-Event-ID`. */
      last_event_id?: string
    }
    answer: Response
  }
  /** Read usage */
  'GET /v1/usage': {
    path?: Record<string, never>
    query?: {
      /** A month of Europe/London, as YYYY-MM. The current one by default. */
      month?: string
    }
    answer: Usage
  }
  /** List invoices */
  'GET /v1/invoices': {
    path?: Record<string, never>
    query?: Record<string, never>
    answer: InvoiceList
  }
  /** Read an invoice */
  'GET /v1/invoices/{id}': {
    path: {
      /** The id of the invoice, a UUID. */
      id: string
    }
    query?: Record<string, never>
    answer: Invoice
  }
  /** Read an invoice as a PDF */
  'GET /v1/invoices/{id}.pdf': {
    path: {
      /** The id of the invoice, a UUID. */
      id: string
    }
    query?: Record<string, never>
    answer: Response
  }
  /** Export the lines of an invoice */
  'GET /v1/invoices/{id}/lines.csv': {
    path: {
      /** The id of the invoice, a UUID. */
      id: string
    }
    query?: Record<string, never>
    answer: Response
  }
  /** List the payouts behind a line */
  'GET /v1/invoices/{id}/lines/{n}/payouts': {
    path: {
      /** The id of the invoice, a UUID. */
      id: string
      /** Which line: 1 is the first. */
      n: string
    }
    query?: {
      /** How many to a page. */
      limit?: number
      /** `next_cursor` of the page before. */
      cursor?: string
    }
    answer: InvoicedPayoutList
  }
  /** Export the payouts behind a line */
  'GET /v1/invoices/{id}/lines/{n}/payouts.csv': {
    path: {
      /** The id of the invoice, a UUID. */
      id: string
      /** Which line: 1 is the first. */
      n: string
    }
    query?: Record<string, never>
    answer: Response
  }
  /** Read the statement of the wallet */
  'GET /v1/statement': {
    path?: Record<string, never>
    query?: {
      /** The first day, in London. The 1st of the month of `to` by default. */
      from?: string
      /** The last day, in London. Today by default. */
      to?: string
      /** How many to a page. */
      limit?: number
      /** `next_cursor` of the page before. */
      cursor?: string
    }
    answer: Statement
  }
  /** Export the statement of the wallet */
  'GET /v1/statement.csv': {
    path?: Record<string, never>
    query?: {
      /** The first day, in London. The 1st of the month of `to` by default. */
      from?: string
      /** The last day, in London. Today by default. */
      to?: string
    }
    answer: Response
  }
  /** List API keys */
  'GET /v1/keys': {
    path?: Record<string, never>
    query?: Record<string, never>
    answer: ApiKeyList
  }
  /** List webhook endpoints */
  'GET /v1/webhook-endpoints': {
    path?: Record<string, never>
    query?: Record<string, never>
    answer: WebhookEndpointList
  }
  /** Create a webhook endpoint */
  'POST /v1/webhook-endpoints': {
    path?: Record<string, never>
    query?: Record<string, never>
    body: NewWebhookEndpoint
    answer: WebhookEndpointWithSecret
  }
  /** Read a webhook endpoint */
  'GET /v1/webhook-endpoints/{id}': {
    path: {
      /** The id of the endpoint, a UUID. */
      id: string
    }
    query?: Record<string, never>
    answer: WebhookEndpoint
  }
  /** Change a webhook endpoint */
  'PATCH /v1/webhook-endpoints/{id}': {
    path: {
      /** The id of the endpoint, a UUID. */
      id: string
    }
    query?: Record<string, never>
    body: WebhookEndpointChange
    answer: WebhookEndpoint
  }
  /** Delete a webhook endpoint */
  'DELETE /v1/webhook-endpoints/{id}': {
    path: {
      /** The id of the endpoint, a UUID. */
      id: string
    }
    query?: Record<string, never>
    answer: WebhookEndpointDeleted
  }
  /** Rotate the secret of a webhook endpoint */
  'POST /v1/webhook-endpoints/{id}/rotate-secret': {
    path: {
      /** The id of the endpoint, a UUID. */
      id: string
    }
    query?: Record<string, never>
    body: WebhookSecretRotation
    answer: WebhookEndpointWithSecret
  }
  /** Send a test to a webhook endpoint */
  'POST /v1/webhook-endpoints/{id}/test': {
    path: {
      /** The id of the endpoint, a UUID. */
      id: string
    }
    query?: Record<string, never>
    body: WebhookTest
    answer: WebhookTestResult
  }
  /** List the deliveries of a webhook endpoint */
  'GET /v1/webhook-endpoints/{id}/deliveries': {
    path: {
      /** The id of the endpoint, a UUID. */
      id: string
    }
    query?: {
      /** How many to a page. */
      limit?: number
      /** `next_cursor` of the page before. */
      cursor?: string
      /** Only deliveries in this state. */
      state?: 'waiting' | 'delivered' | 'failed'
      /** Only events of this type. */
      type?: string
      /** Only this event, by its id. */
      event?: string
      /** Only deliveries made since. */
      from?: string
    }
    answer: WebhookDeliveryList
  }
  /** Look into a delivery */
  'GET /v1/deliveries/{id}': {
    path: {
      /** The id of the delivery, a UUID. */
      id: string
    }
    query?: Record<string, never>
    answer: WebhookDeliveryWithAttempts
  }
  /** List the deliveries about a payout */
  'GET /v1/deliveries': {
    path?: Record<string, never>
    query: {
      /** How many to a page. */
      limit?: number
      /** `next_cursor` of the page before. */
      cursor?: string
      /** What the events are about, by its id, such as a payout. */
      subject: string
    }
    answer: WebhookDeliveryList
  }
  /** Send an event again */
  'POST /v1/events/{id}/redeliver': {
    path: {
      /** The id of the event, a UUID. */
      id: string
    }
    query?: Record<string, never>
    body: Redelivery
    answer: WebhookDeliveriesMade
  }
  /** Send the events of a time again */
  'POST /v1/webhook-endpoints/{id}/replay': {
    path: {
      /** The id of the endpoint, a UUID. */
      id: string
    }
    query?: Record<string, never>
    body: WebhookReplay
    answer: WebhookReplayStarted
  }
  /** List the team */
  'GET /v1/members': {
    path?: Record<string, never>
    query?: Record<string, never>
    answer: MemberList
  }
  /** List invitations */
  'GET /v1/invitations': {
    path?: Record<string, never>
    query?: Record<string, never>
    answer: InvitationList
  }
  /** Start business verification */
  'POST /v1/compliance/verification': {
    path?: Record<string, never>
    query?: Record<string, never>
    answer: Compliance
  }
  /** Read how to top up */
  'GET /v1/funding': {
    path?: Record<string, never>
    query?: Record<string, never>
    answer: Funding
  }
  /** Read the settings */
  'GET /v1/settings': {
    path?: Record<string, never>
    query?: Record<string, never>
    answer: Settings
  }
  /** Simulate how a payout ends */
  'POST /v1/sandbox/payouts/{id}/simulate': {
    path: {
      /** The id of the payout, a UUID. */
      id: string
    }
    query?: Record<string, never>
    body: SimulateRequest
    answer: Payout
  }
  /** Top up with test money */
  'POST /v1/sandbox/top-up': {
    path?: Record<string, never>
    query?: Record<string, never>
    body: TopUpRequest
    answer: TopUp
  }
  /** Let time pass */
  'POST /v1/sandbox/advance': {
    path?: Record<string, never>
    query?: Record<string, never>
    body: AdvanceRequest
    answer: Advanced
  }
  /** Reset the sandbox */
  'POST /v1/sandbox/reset': {
    path?: Record<string, never>
    query?: Record<string, never>
    answer: SandboxReset
  }
  /** Rehearse an invoice */
  'GET /v1/sandbox/invoice': {
    path?: Record<string, never>
    query?: {
      /** A month of Europe/London, as YYYY-MM, from that of the business’s creation on. The current one by default, as it would close now. */
      month?: string
    }
    answer: RehearsalInvoice
  }
  /** Rehearse an invoice as a PDF */
  'GET /v1/sandbox/invoice.pdf': {
    path?: Record<string, never>
    query?: {
      /** A month of Europe/London, as YYYY-MM, from that of the business’s creation on. The current one by default, as it would close now. */
      month?: string
    }
    answer: Response
  }
}
