// Makes a recipient known to the bank. The bank keeps one account per sort code and number of a customer: one that is there
// already is used only if it is this recipient's, so that nobody is ever paid under another's name.
import { sha256 } from '../../core/ids.ts'
import { pages } from '../../core/pages.ts'
import { RailUnavailable, type RegisterAnswer } from '../port.ts'
import type { RecipientDetails, WalletAtBank } from '../transfer.ts'
import { type Json, asObject, isJson, wordOrNull } from './json-words.ts'
import { askForRows } from './list-rows.ts'
import { customerPath } from './open-account.ts'
import type { ProviderClient } from './provider-client.ts'
import { type ExternalAccountBody, externalAccount, isSameOwner } from './recipient-words.ts'
import { type Refusal, isAboutKey, isDuplicate, refusalIn, wrongInBody } from './refusal-words.ts'

const REFUSALS: ReadonlySet<number> = new Set([400, 403, 404, 409, 422])

export async function registerRecipient(
  client: ProviderClient,
  wanted: { account: WalletAtBank; recipient: RecipientDetails; key: string },
): Promise<RegisterAnswer> {
  const path = accountsPath(wanted.account)
  const body = externalAccount(wanted.recipient)
  // The key is made from the request: another customer's recipient, or another address, is another request.
  const hash = sha256(path + JSON.stringify(body)).toString('hex')
  const idempotencyKey = `${wanted.key}:${hash.slice(0, 32)}`
  const reply = await client.call({ method: 'POST', path, body, idempotencyKey })
  if (reply.kind !== 'answered') return { kind: 'not_sent', reason: reply.reason }
  const id = isJson(reply.body) ? wordOrNull(reply.body, 'id') : null
  if (reply.status === 201 && id !== null) return madeAs(body, asObject(reply.body), id)
  const refusal = refusalIn(reply.body)
  const isRefused = REFUSALS.has(reply.status) && refusal.code !== 'none' && !isAboutKey(refusal)
  if (!isRefused) {
    const { status, retryAfterMs } = reply
    const reason = `The bank could not take the recipient (${status}).`
    return { kind: 'not_sent', reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  }
  return isDuplicate(refusal) ? adopted(client, { path, body, id }) : refusedFor(refusal)
}

/** A bank that answers with another account than it was given would have us pay whoever has that one. */
function madeAs(ours: ExternalAccountBody, theirs: Json, id: string): RegisterAnswer {
  const { sortCode, last4 } = digitsOf(theirs)
  // What it leaves out is no contradiction, and each digit that it shows is one if it is another.
  const isOther =
    (sortCode ?? ours.account.sort_code) !== ours.account.sort_code ||
    (last4 ?? lastOf(ours.account.account_number)) !== lastOf(ours.account.account_number)
  if (!isOther) return { kind: 'registered', recipientRef: id }
  const reason = 'The bank answered with another account than the recipient’s.'
  return { kind: 'not_sent', reason, trouble: 'account', bankReason: reason }
}

const accountsPath = ({ holderRef }: WalletAtBank): string => `${customerPath(holderRef)}/external_accounts`

/** Ours, for the fields of the bank that a partner can mend. Any other is ours to mend. */
const OUR_FIELDS: Readonly<Record<string, string>> = {
  bank_name: 'recipient.bank.bank_name',
  account_owner_name: 'recipient.last_name',
  first_name: 'recipient.first_name',
  last_name: 'recipient.last_name',
  business_name: 'recipient.first_name',
  address: 'recipient.address',
  'address.street_line_1': 'recipient.address.line1',
  'address.street_line_2': 'recipient.address.line2',
  'address.city': 'recipient.address.city',
  'address.state': 'recipient.address.region',
  'address.postal_code': 'recipient.address.postal_code',
}

/** Only what the bank says of the account itself is the account's fault. */
function refusedFor(refusal: Refusal): RegisterAnswer {
  const fields = wrongInBody(refusal)
  if (fields.some((field) => /^account(\.|$)/.test(field))) return { kind: 'rejected', reason: refusal.message }
  const ours = fields.map((field) => OUR_FIELDS[field])
  if (fields.length === 0 || ours.includes(undefined)) return { kind: 'not_sent', ...oursToMend(refusal) }
  const why = 'The bank does not take these details of the recipient.'
  return { kind: 'rejected', reason: refusal.message, wrong: { fields: ours as string[], why } }
}

/** A refusal that neither a partner nor its recipient can do anything about. */
export function oursToMend({ code, message, fields }: Refusal) {
  return {
    reason: 'The bank refuses payouts of this account for a reason that is not the recipient’s. We have been told.',
    trouble: 'account',
    bankReason: `${[code, ...fields].join(' ')}: ${message}`,
  } as const
}

interface Sought {
  readonly path: string
  readonly body: ExternalAccountBody
  /** The account that is there already, if the bank says which. */
  readonly id: string | null
}

const NAMES = ['recipient.first_name', 'recipient.last_name']

async function adopted(client: ProviderClient, sought: Sought): Promise<RegisterAnswer> {
  let there: readonly Json[]
  try {
    there = (await candidates(client, sought)).filter((each) => isSameAccount(sought.body, each))
  } catch (error) {
    if (!(error instanceof RailUnavailable)) throw error
    return { kind: 'not_sent', reason: 'The bank has this account and could not say whose it is.' }
  }
  if (there.length === 0)
    return { kind: 'not_sent', reason: 'The bank says that it has this account, and does not show it.' }
  const own = there.filter((each) => isSameOwner(sought.body, each))
  const id = own.filter(isActive).map((each) => wordOrNull(each, 'id'))[0]
  if (id != null) return { kind: 'registered', recipientRef: id }
  const isOthers = own.length === 0
  return {
    kind: 'rejected',
    reason: isOthers ? 'The account is registered under another name.' : 'The account is registered and not active.',
    wrong: isOthers
      ? {
          fields: NAMES,
          why: 'You have paid this sort code and account number under another name, which the bank keeps.',
        }
      : { fields: ['recipient.bank.account_number'], why: 'The bank has deactivated this account.' },
  }
}

/** The account that the bank names, or all that the customer has, when it names none. */
async function candidates(client: ProviderClient, { path, id }: Sought): Promise<Json[]> {
  if (id !== null) {
    const found = await readAccount(client, path, id)
    return found === null ? [] : [found]
  }
  const all: Json[] = []
  for await (const page of pages((cursor) => askForRows(client, { path, query: {}, cursor }))) {
    all.push(...page.rows.filter(isJson))
  }
  return all
}

/** Null when the bank does not have it. */
async function readAccount(client: ProviderClient, path: string, id: string): Promise<Json | null> {
  const reply = await client.call({ method: 'GET', path: `${path}/${encodeURIComponent(id)}` })
  if (reply.kind !== 'answered') throw new RailUnavailable(reply.reason)
  if (reply.status === 404) return null
  if (reply.status !== 200) throw new RailUnavailable(`The bank answered ${reply.status}.`, reply)
  return asObject(reply.body)
}

/** Whether the bank still pays to a recipient that it has registered; null when it cannot be asked. */
export async function isStillThere(
  client: ProviderClient,
  { account, recipientRef }: { account: WalletAtBank; recipientRef: string },
): Promise<boolean | null> {
  try {
    const found = await readAccount(client, accountsPath(account), recipientRef)
    return found !== null && isActive(found)
  } catch (error) {
    if (!(error instanceof RailUnavailable)) throw error
    return null
  }
}

function isSameAccount({ account }: ExternalAccountBody, theirs: Json): boolean {
  const { sortCode, last4 } = digitsOf(theirs)
  return sortCode === account.sort_code && last4 === lastOf(account.account_number)
}

/** The bank never shows a whole account number. What it hides, or shows in part, says nothing. */
function digitsOf(theirs: Json): { sortCode: string | null; last4: string | null } {
  const shown = isJson(theirs['account']) ? theirs['account'] : {}
  const digits = (word: string | null) => word?.replace(/\D/g, '') ?? ''
  const sortCode = digits(wordOrNull(shown, 'sort_code') ?? wordOrNull(theirs, 'sort_code'))
  const number = wordOrNull(shown, 'last_4') ?? wordOrNull(theirs, 'last_4') ?? wordOrNull(shown, 'account_number')
  const isLast = digits(number).length === 4 && number!.endsWith(digits(number))
  return {
    sortCode: sortCode.length === 6 ? sortCode : null,
    last4: isLast || digits(number).length === 8 ? lastOf(digits(number)) : null,
  }
}

const lastOf = (accountNumber: string): string => accountNumber.slice(-4)

function isActive(theirs: Json): boolean {
  return theirs['active'] !== false
}
