// What is told of a request to the bank: which operation it was, and how it ended.
import type { BankCallOutcome } from '../bank-call.ts'

/** The bank's words in addresses. Whatever else stands between two slashes is an id. */
const WORDS: ReadonlySet<string> = new Set([
  'customers',
  'drains',
  'exchange_rates',
  'external_accounts',
  'history',
  'kyc_link',
  'kyc_links',
  'liquidation_addresses',
  'simulate_deposit',
  'simulate_kyc_approval',
  'transfers',
  'virtual_accounts',
  'wallets',
  'webhooks',
])

/** Such as `GET /transfers/{id}`. */
export function operationOf({ method, path }: { readonly method: string; readonly path: string }): string {
  const [address = ''] = path.split('?')
  const parts = address.split('/').map((part) => (part === '' || WORDS.has(part) ? part : '{id}'))
  return `${method} ${parts.join('/')}`
}

type Ending = { readonly kind: 'answered'; readonly status: number } | { readonly kind: 'not_sent' | 'unknown' }

export function outcomeOf(reply: Ending): BankCallOutcome {
  if (reply.kind !== 'answered') return reply.kind
  if (reply.status < 300) return 'ok'
  if (reply.status === 429) return 'busy'
  return reply.status < 500 ? 'refused' : 'broken'
}
