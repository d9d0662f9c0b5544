// The client: what an API key can do, by resource.
import { UsageError } from './errors.ts'
import { keyFor } from './key-for.ts'
import {
  Account,
  Activity,
  Balance,
  Compliance,
  Deposits,
  Funding,
  GoLive,
  Invitations,
  Keys,
  Members,
  Quotes,
  Recipients,
  Settings,
} from './resources/account.ts'
import { Invoices, Statement, Usage } from './resources/billing.ts'
import { Events } from './resources/events.ts'
import { Payouts } from './resources/payouts.ts'
import { Sandbox } from './resources/sandbox.ts'
import { Deliveries, WebhookEndpoints } from './resources/webhook-endpoints.ts'
import { Transport } from './transport.ts'
import { verifyWebhook } from './webhooks.ts'
import { wholeNumber } from './whole-number.ts'

export interface KestrelOptions {
  /** `kp_sandbox_…` for test money, `kp_live_…` for real money. */
  readonly apiKey: string
  /** Where the service is: `http://127.0.0.1:3000` by default. */
  readonly baseUrl?: string
  /** How long one try may take: 30 seconds by default. */
  readonly timeoutMs?: number
  /** How often a failed try is repeated where that is safe: 3 times by default. */
  readonly maxRetries?: number
  /** Another `fetch`, for a proxy or a test. */
  readonly fetch?: typeof fetch
}

const webhooks = { verify: verifyWebhook }

export class Kestrel {
  /** An idempotency key from what you already have: `Kestrel.keyFor('order', 1042)`. */
  static readonly keyFor = keyFor
  /** For a receiver, which needs no key. */
  static readonly webhooks = webhooks

  /** Which money the key moves. */
  readonly environment: 'sandbox' | 'live'
  readonly account: Account
  readonly activity: Activity
  readonly balance: Balance
  readonly compliance: Compliance
  readonly deliveries: Deliveries
  readonly deposits: Deposits
  readonly events: Events
  readonly funding: Funding
  readonly goLive: GoLive
  readonly invitations: Invitations
  readonly invoices: Invoices
  readonly keys: Keys
  readonly members: Members
  readonly payouts: Payouts
  readonly quotes: Quotes
  readonly recipients: Recipients
  readonly sandbox: Sandbox
  readonly settings: Settings
  readonly statement: Statement
  readonly usage: Usage
  readonly webhookEndpoints: WebhookEndpoints
  readonly webhooks: typeof webhooks = webhooks

  constructor(options: KestrelOptions) {
    const { apiKey, timeoutMs = 30_000, maxRetries = 3 } = options
    const [, environment] = /^kp_(sandbox|live)_\w+$/.exec(apiKey ?? '') ?? []
    if (environment === undefined) throw new UsageError('apiKey is a text that begins with kp_sandbox_ or kp_live_.')
    this.environment = environment as 'sandbox' | 'live'
    const transport = new Transport({
      apiKey,
      baseUrl: baseOf(options.baseUrl ?? 'http://127.0.0.1:3000'),
      timeoutMs: wholeNumber('timeoutMs', timeoutMs, 1),
      maxRetries: wholeNumber('maxRetries', maxRetries, 0),
      // Some runtimes refuse a fetch that is called as a method of something else.
      fetch: options.fetch ?? ((...call) => fetch(...call)),
    })
    this.account = new Account(transport)
    this.activity = new Activity(transport)
    this.balance = new Balance(transport)
    this.compliance = new Compliance(transport)
    this.deliveries = new Deliveries(transport)
    this.deposits = new Deposits(transport)
    this.events = new Events(transport)
    this.funding = new Funding(transport)
    this.goLive = new GoLive(transport)
    this.invitations = new Invitations(transport)
    this.invoices = new Invoices(transport)
    this.keys = new Keys(transport)
    this.members = new Members(transport)
    this.payouts = new Payouts(transport)
    this.quotes = new Quotes(transport)
    this.recipients = new Recipients(transport)
    this.sandbox = new Sandbox(transport)
    this.settings = new Settings(transport)
    this.statement = new Statement(transport)
    this.usage = new Usage(transport)
    this.webhookEndpoints = new WebhookEndpoints(transport)
  }
}

function baseOf(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new UsageError('baseUrl is the address of the service, such as https://payouts.example.com.')
  }
  const { origin, pathname } = new URL(text)
  return origin + pathname.replace(/\/+$/, '')
}
