// A recipient in the bank's words: shorter lines, three-letter countries, one name.
import type { RecipientDetails } from '../transfer.ts'
import { recipientName } from '../recipient-name.ts'
import { type Json, wordOrNull } from './json-words.ts'

const LONGEST_LINE = 35
const SHORTEST_LINE = 4
const LONGEST_NAME = 35

export interface ExternalAccountBody {
  readonly account_owner_name: string
  readonly account_owner_type: RecipientDetails['type']
  readonly business_name?: string
  readonly first_name?: string
  readonly last_name?: string
  readonly account: { readonly sort_code: string; readonly account_number: string }
}

export function externalAccount(recipient: RecipientDetails): ExternalAccountBody & Json {
  const name = fold(recipientName(recipient)).slice(0, LONGEST_NAME).trim()
  const line1 = fold(recipient.address.line1).slice(0, LONGEST_LINE)
  const line2 = fold(recipient.address.line2 ?? '').slice(0, LONGEST_LINE)
  return {
    currency: 'gbp',
    account_type: 'gb',
    bank_name: recipient.bank.bank_name.slice(0, 256),
    account_owner_name: name,
    account_owner_type: recipient.type,
    ...(recipient.type === 'business'
      ? { business_name: name }
      : { first_name: recipient.first_name, last_name: recipient.last_name }),
    account: { sort_code: recipient.bank.sort_code, account_number: recipient.bank.account_number },
    address: {
      street_line_1:
        line1.length < SHORTEST_LINE ? `${line1}, ${fold(recipient.address.city)}`.slice(0, LONGEST_LINE) : line1,
      ...(line2 === '' ? {} : { street_line_2: line2 }),
      ...townAndRegion(recipient.address),
      postal_code: recipient.address.postal_code,
      country: 'GBR',
    },
  }
}

/**
 * Whether an account that the bank has is this recipient's: a person's or a business's, as the bank has it, under the same
 * name. Accents, case, hyphens and the spelling of a company's kind do not make another name; another word does.
 */
export function isSameOwner(ours: ExternalAccountBody, theirs: Json): boolean {
  const type = wordOrNull(theirs, 'account_owner_type')
  if (type !== null && type !== ours.account_owner_type) return false
  const [first, last] = [wordOrNull(theirs, 'first_name'), wordOrNull(theirs, 'last_name')]
  if (ours.account_owner_type === 'individual' && first !== null && last !== null) {
    return nameKey(`${ours.first_name} ${ours.last_name}`) === nameKey(`${first} ${last}`)
  }
  const name = wordOrNull(theirs, 'account_owner_name') ?? wordOrNull(theirs, 'business_name') ?? ''
  return nameKey(ours.account_owner_name) === nameKey(fold(name).slice(0, LONGEST_NAME))
}

const COMPANY_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bpublic limited company\b/g, 'plc'],
  [/\blimited liability partnership\b/g, 'llp'],
  [/\blimited\b/g, 'ltd'],
  [/&/g, ' and '],
]

function nameKey(name: string): string {
  const words = COMPANY_WORDS.reduce((text, [from, to]) => text.replace(from, to), fold(name).toLowerCase())
  return words
    .replace(/['’.]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const NATIONS: Readonly<Record<string, string>> = {
  england: 'ENG',
  scotland: 'SCT',
  wales: 'WLS',
  cymru: 'WLS',
  'northern ireland': 'NIR',
}

/**
 * The bank has a field for a region's three-letter code and none for a county's name. The name goes with the town, as
 * on an envelope, unless it is the town's own.
 */
function townAndRegion({ city, region }: RecipientDetails['address']): { city: string; state?: string } {
  const [town, county] = [fold(city), fold(region)]
  if (county === '' || county.toLowerCase() === town.toLowerCase()) return { city: town }
  const state = /^[A-Z]{3}$/.test(county) ? county : NATIONS[county.toLowerCase()]
  return state === undefined ? { city: `${town}, ${county}` } : { city: town, state }
}

/**
 * Far longer than any field that a bank takes. The text is cut here first, because folding can turn one letter into
 * eighteen.
 */
const LONGEST_FOLDED = 256

/** Banks' systems know few letters: an accent is dropped, its letter stays. */
function fold(text: string): string {
  return text
    .trimStart()
    .slice(0, LONGEST_FOLDED)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
