// An entry of the activity log as a sentence: who did what, with what it was before and is after.
import { whatWasDone, whatWasWanted } from './action-words.ts'

/** What is shown of a change, by its name in the API: its word, and how its values read. */
export const CHANGED_FIELDS = {
  name: ['name', 'text'],
  role: ['role', 'text'],
  label: ['label', 'text'],
  scopes: ['scopes', 'text'],
  allowed_ips: ['allowed networks', 'text'],
  expires_at: ['expiry', 'text'],
  max_per_payout_gbp: ['limit per payout', 'gbp'],
  daily_gbp: ['daily limit', 'gbp'],
  monthly_gbp: ['monthly limit', 'gbp'],
  status: ['status', 'text'],
  url: ['address', 'text'],
  events: ['events', 'text'],
  description: ['description', 'text'],
  brand_color: ['colour', 'text'],
  billing_email: ['address for invoices', 'text'],
  contact_email: ['contact address', 'text'],
  billing_name: ['name on invoices', 'text'],
  billing_address: ['address on invoices', 'text'],
  vat_number: ['VAT number', 'text'],
  low_balance_usdc: ['low balance', 'usdc'],
  payouts: ['payouts', 'text'],
  smallest_payout_gbp: ['smallest payout', 'gbp'],
  largest_payout_gbp: ['largest payout', 'gbp'],
  prices: ['prices', 'text'],
} as const satisfies Readonly<Record<string, readonly [string, 'text' | 'gbp' | 'usdc']>>

export type ChangedField = keyof typeof CHANGED_FIELDS

export interface Change {
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}

export interface Told {
  readonly action: string
  readonly status: number | null
  readonly by: string
  readonly by_name: string | null
  readonly key_id: string | null
  readonly detail: string | null
  readonly subject: string | null
  readonly changes: readonly Change[]
}

/** "Ada Lovelace changed the daily limit of the API key “orders” from £100.00 to £500.00". */
export function activitySentence(entry: Told): string {
  const { action, status, subject, changes } = entry
  const who = whoDid(entry)
  if (status !== null && status >= 400) {
    const why = entry.detail === null ? '' : ` (${entry.detail})`
    return `${who} tried to ${whatWasWanted(action, subject)}, which ${status < 500 ? 'was refused' : 'failed'}${why}`
  }
  const [only] = changes
  if (changes.length === 1 && only !== undefined && CHANGES.has(action))
    return `${who} ${oneChange(action, subject, only)}`
  const more = changes.length === 0 ? operatorsWords(entry) : `: ${changes.map(changeInWords).join('; ')}`
  return `${who} ${whatWasDone(action, subject, status)}${more}`
}

/** Of these a single change reads better than the thing that was changed. */
const CHANGES: ReadonlySet<string> = new Set([
  'key.change',
  'member.change',
  'webhook_endpoint.change',
  'settings.change',
])

function oneChange(action: string, subject: string | null, change: Change): string {
  const what = whatWasDone(action, subject).replace(/^changed /, '')
  const of = subject === null ? '' : ` of ${what}`
  const { before, after } = change
  const label = labelOf(change.field)
  if (before === null) return `set the ${label}${of} to ${valueOf(change.field, after)}`
  if (after === null) return `removed the ${label}${of}, which was ${valueOf(change.field, before)}`
  return `changed the ${label}${of} from ${valueOf(change.field, before)} to ${valueOf(change.field, after)}`
}

export function changeInWords({ field, before, after }: Change): string {
  const label = labelOf(field)
  if (before === null) return `${label} set to ${valueOf(field, after)}`
  if (after === null) return `${label} removed, which was ${valueOf(field, before)}`
  return `${label} from ${valueOf(field, before)} to ${valueOf(field, after)}`
}

function whoDid({ by, by_name: name, key_id: keyId }: Told): string {
  if (by === 'operator') return 'The operator'
  return keyId === null ? (name ?? by) : `The API key ${by}`
}

/** A command says in its own words what it was about. */
const operatorsWords = ({ by, detail, subject }: Told) =>
  by === 'operator' && detail !== null && subject === null ? `: ${detail}` : ''

const fieldOf = (field: string) => (CHANGED_FIELDS as Readonly<Record<string, readonly [string, string]>>)[field]

export const labelOf = (field: string): string => fieldOf(field)?.[0] ?? field.replaceAll('_', ' ')

export function valueOf(field: string, value: string | null): string {
  if (value === null) return 'none'
  const kind = fieldOf(field)?.[1]
  return kind === 'gbp' ? `£${value}` : kind === 'usdc' ? `${value} USDC` : value === '' ? 'nothing' : value
}
