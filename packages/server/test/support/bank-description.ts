// What the bank lets us ask for, by its published description and the pages that have come since: each path with the fields
// of its query and of its body. A request that is not here, or has a field too many or too few, would not be understood.
import type { WireRequest } from './lying-bank.ts'

/** A body's field by its path: the type of its value, with a question mark where it may be left out. */
type Fields = Readonly<Record<string, 'string' | 'string?' | 'array' | 'array?' | 'boolean?'>>

interface Described {
  readonly query?: readonly string[]
  readonly body?: Fields
}

const PAGED = ['limit', 'starting_after']
const CHANGES = [...PAGED, 'updated_after_ms', 'updated_before_ms']
const ID = '[\\w-]+'

const PAYMENT: Fields = {
  client_reference_id: 'string',
  on_behalf_of: 'string',
  developer_fee: 'string?',
  dry_run: 'boolean?',
  'source.payment_rail': 'string',
  'source.currency': 'string',
  'source.bridge_wallet_id': 'string',
  'source.amount': 'string?',
  'destination.payment_rail': 'string',
  'destination.currency': 'string',
  'destination.external_account_id': 'string',
  'destination.amount': 'string',
  'destination.reference': 'string?',
}

/** What is added to a transfer that became too little, by the guide to fixed outputs. */
const ADDITION: Fields = {
  amount: 'string',
  'source.payment_rail': 'string',
  'source.currency': 'string',
  'source.bridge_wallet_id': 'string',
  'destination.payment_rail': 'string',
  'destination.currency': 'string',
  'destination.bridge_transfer_id': 'string',
}

const ACCOUNT: Fields = {
  currency: 'string',
  account_type: 'string',
  bank_name: 'string?',
  account_owner_name: 'string',
  account_owner_type: 'string',
  business_name: 'string?',
  first_name: 'string?',
  last_name: 'string?',
  'account.sort_code': 'string',
  'account.account_number': 'string',
  'address.street_line_1': 'string',
  'address.street_line_2': 'string?',
  'address.city': 'string',
  'address.state': 'string?',
  'address.postal_code': 'string?',
  'address.country': 'string',
}

export const DESCRIPTION: Readonly<Record<string, Described>> = {
  'POST /customers': {
    body: { type: 'string', business_legal_name: 'string', email: 'string', endorsements: 'array' },
  },
  'GET /customers': { query: [...PAGED, 'email'] },
  [`GET /customers/${ID}`]: {},
  [`GET /customers/${ID}/kyc_link`]: { query: ['endorsement', 'redirect_uri'] },
  [`POST /customers/${ID}/simulate_kyc_approval`]: { body: {} },
  [`POST /customers/${ID}/wallets`]: { body: { chain: 'string' } },
  [`GET /customers/${ID}/wallets`]: { query: PAGED },
  [`GET /customers/${ID}/wallets/${ID}`]: {},
  [`POST /customers/${ID}/wallets/${ID}/simulate_deposit`]: { body: { amount: 'string', currency: 'string' } },
  [`POST /customers/${ID}/virtual_accounts`]: {
    body: {
      developer_fee_percent: 'string?',
      'source.currency': 'string',
      'destination.payment_rail': 'string',
      'destination.currency': 'string',
      'destination.bridge_wallet_id': 'string',
    },
  },
  [`GET /customers/${ID}/virtual_accounts`]: { query: PAGED },
  [`GET /customers/${ID}/virtual_accounts/${ID}/history`]: { query: CHANGES },
  [`POST /customers/${ID}/liquidation_addresses`]: {
    body: {
      chain: 'string',
      currency: 'string',
      destination_payment_rail: 'string',
      destination_currency: 'string',
      bridge_wallet_id: 'string',
    },
  },
  [`GET /customers/${ID}/liquidation_addresses`]: { query: PAGED },
  [`GET /customers/${ID}/liquidation_addresses/${ID}/drains`]: { query: CHANGES },
  [`POST /customers/${ID}/external_accounts`]: { body: ACCOUNT },
  [`GET /customers/${ID}/external_accounts`]: { query: PAGED },
  [`GET /customers/${ID}/external_accounts/${ID}`]: {},
  'POST /transfers': { body: PAYMENT },
  'POST /transfers ADDITION': { body: ADDITION },
  'GET /transfers': { query: [...CHANGES, 'state'] },
  [`GET /transfers/${ID}`]: {},
  [`DELETE /transfers/${ID}`]: {},
  'GET /exchange_rates': { query: ['from', 'to'] },
  'GET /virtual_accounts/history': { query: CHANGES },
  'GET /liquidation_addresses/drains': { query: CHANGES },
  [`GET /wallets/${ID}/history`]: { query: CHANGES },
  'POST /kyc_links': {
    body: { full_name: 'string', email: 'string', type: 'string', endorsements: 'array', redirect_uri: 'string?' },
  },
  [`GET /kyc_links/${ID}`]: {},
  'POST /webhooks': { body: { url: 'string', event_epoch: 'string', event_categories: 'array?' } },
  [`PUT /webhooks/${ID}`]: { body: { status: 'string' } },
  [`DELETE /webhooks/${ID}`]: {},
}

/** The name of a request in the description, or null where it is not in it. */
export function describedAs({ method, path, body }: WireRequest): string | null {
  if (method === 'POST' && path === '/transfers' && body.includes('bridge_transfer')) return 'POST /transfers ADDITION'
  const asked = `${method} ${path}`
  return Object.keys(DESCRIPTION).find((name) => new RegExp(`^${name}$`).test(asked)) ?? null
}

/** What the bank would not understand of a request, in words; never what was in it. */
export function notUnderstood(request: WireRequest): string[] {
  const name = describedAs(request)
  if (name === null) return [`${request.method} ${request.path} is not described`]
  const { query = [], body } = DESCRIPTION[name]!
  const asked = [...new URLSearchParams(request.query).keys()].filter((each) => !query.includes(each))
  const problems = asked.map((each) => `has ${each} in its query`)
  if ((request.key !== null) !== (request.method === 'POST')) problems.push('has a key where none belongs, or none')
  if (body === undefined && request.body !== '') problems.push('has a body')
  if (body !== undefined) problems.push(...wrongIn(body, fieldsOf(JSON.parse(request.body))))
  return problems.map((problem) => `${name} ${problem}`)
}

function wrongIn(described: Fields, sent: ReadonlyMap<string, string>): string[] {
  const missing = Object.entries(described).filter(([field, type]) => !type.endsWith('?') && !sent.has(field))
  const others = [...sent].filter(([field, type]) => described[field]?.replace('?', '') !== type)
  return [...missing.map(([field]) => `lacks ${field}`), ...others.map(([field, type]) => `has ${field}, as ${type}`)]
}

/** Each value that is no object, by its path. */
function fieldsOf(value: unknown, before = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return new Map([[before, Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value]])
  }
  const fields = Object.entries(value).flatMap(([name, each]) => [
    ...fieldsOf(each, before === '' ? name : `${before}.${name}`),
  ])
  return new Map(fields)
}
