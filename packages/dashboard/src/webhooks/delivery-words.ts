// What became of a delivery or an attempt, in words.
import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '@kestrel/contract'

const ERRORS: Readonly<Record<string, string>> = {
  timeout: 'No answer in time',
  dns: 'The name was not found',
  tls: 'No secure connection (TLS)',
  connection: 'The connection was refused or broke',
  bad_answer: 'What was answered is not HTTP',
  refused_address: 'The address is not allowed any more',
  event_forgotten: 'The event is no longer kept',
  not_sent: 'Not sent: the fault is ours',
}

type Outcome = Pick<WebhookAttempt, 'status' | 'error'>

/** "Answered 200", "Redirected (302): not followed", "No answer in time". */
export function outcomeWords({ status, error }: Outcome): string {
  if (error === 'redirect' && status !== null) return `Redirected (${status}): not followed`
  if (error === null || error === 'http_status') return status === null ? 'Answered' : `Answered ${status}`
  return ERRORS[error] ?? error.replaceAll('_', ' ')
}

export const isGood = ({ error }: Outcome) => error === null

const CAUSES: Readonly<Record<WebhookDelivery['cause'], string | null>> = {
  event: null,
  redelivery: 'sent again',
  replay: 'replayed',
}

/** Why it was sent once more; null when it simply happened. */
export const causeWords = ({ cause }: Pick<WebhookDelivery, 'cause'>) => CAUSES[cause]

/** "98.75%": never 100% while something failed. */
export function rateWords({ success_rate_24h: rate }: Pick<WebhookEndpoint, 'success_rate_24h'>): string {
  if (rate === null) return 'No attempts'
  return `${new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 }).format(rate * 100)}%`
}

/** "All events", "payout.failed", "payout.failed and 2 more". */
export function eventsWords(events: readonly string[]): string {
  if (events.includes('*')) return 'All events'
  const [first = 'None', ...others] = events
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
