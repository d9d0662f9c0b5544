// How the bank stands to one of its customers: what it has approved the customer for, and what it still wants.
import type { HolderStanding } from '../account.ts'
import { type Json, asObject, isJson, optionalText, wordOrNull } from './json-words.ts'

/** What a customer is asked for: to be one at all, and to use pounds. */
export const ENDORSEMENTS = ['base', 'faster_payments'] as const
type Name = (typeof ENDORSEMENTS)[number]

const PRODUCTS: Readonly<Record<Name, string>> = { base: 'The account', faster_payments: 'Pounds by Faster Payments' }

export interface Standing extends HolderStanding {
  /** Whose turn it is while something is missing; `nobody` when the bank has ended it. */
  readonly turn: 'business' | 'bank' | 'nobody'
  /** The bank's own words. */
  readonly bankStatus: string
}

const ENDED: ReadonlySet<string> = new Set(['paused', 'offboarded', 'rejected'])

export function holderStanding(customer: Json): Standing {
  const status = optionalText(customer, 'status') ?? 'unknown'
  const read = ENDORSEMENTS.map((name) => endorsement(customer, name))
  const [base, pounds] = read as [Endorsement, Endorsement]
  const isApproved = status === 'active' && base.isApproved
  const isEnded = ENDED.has(status) || read.some(({ word }) => word === 'revoked')
  return {
    isApproved,
    hasPounds: isApproved && pounds.isApproved,
    missing: ENDED.has(status)
      ? [`The bank has set this business to “${status}”.`]
      : read.flatMap(({ lacks }) => lacks),
    turn: isEnded
      ? 'nobody'
      : read.some(({ isBanksTurn, isApproved: is }) => !is && !isBanksTurn)
        ? 'business'
        : 'bank',
    bankStatus: status === 'active' ? read.map(({ name, word }) => `${name} ${word}`).join(', ') : status,
  }
}

interface Endorsement {
  readonly name: Name
  readonly word: string
  readonly isApproved: boolean
  /** The bank has all it wants, and is looking at it. */
  readonly isBanksTurn: boolean
  readonly lacks: readonly string[]
}

function endorsement(customer: Json, name: Name): Endorsement {
  const all = Array.isArray(customer['endorsements']) ? (customer['endorsements'] as unknown[]) : []
  const own = all.filter(isJson).find((each) => each['name'] === name) ?? {}
  const word = wordOrNull(own, 'status') ?? 'not asked for'
  const isApproved = word === 'approved'
  const requirements = isJson(own['requirements']) ? asObject(own['requirements']) : {}
  const [wanted, issues] = [leaves(requirements['missing']), leaves(requirements['issues'])]
  const isBanksTurn = wanted.length + issues.length === 0 && leaves(requirements['pending']).length > 0
  return {
    name,
    word,
    isApproved,
    isBanksTurn,
    lacks: isApproved ? [] : [lack(name, { word, wanted, issues, isBanksTurn })],
  }
}

function lack(
  name: Name,
  { word, wanted, issues, isBanksTurn }: { word: string; wanted: string[]; issues: string[]; isBanksTurn: boolean },
): string {
  const what = PRODUCTS[name]
  if (word === 'revoked') return `${what}: the bank has taken back its approval.`
  if (wanted.length > 0) return `${what}: the bank still needs ${wanted.join(', ')}.`
  if (issues.length > 0) return `${what}: the bank has a difficulty with ${issues.join(', ')}.`
  return isBanksTurn ? `${what}: the bank is checking.` : `${what}: not approved by the bank yet.`
}

const MOST_WORDS = 12
/** Keys that join requirements and say nothing themselves. */
const JOINTS: ReadonlySet<string> = new Set(['all_of', 'any_of', 'one_of'])

/** The words in a structure of which only the outline is published: texts, lists, and objects of either. */
function leaves(value: unknown, depth = 0): string[] {
  if (depth > 5) return []
  if (typeof value === 'string') return readable(value)
  if (Array.isArray(value)) return value.flatMap((each) => leaves(each, depth + 1)).slice(0, MOST_WORDS)
  if (!isJson(value)) return []
  const inside = Object.entries(value).flatMap(([key, each]) => {
    const found = leaves(each, depth + 1)
    if (JOINTS.has(key)) return found
    return found.length === 0 ? readable(key) : found.map((word) => `${readable(key).join('')} (${word})`)
  })
  return [...new Set(inside)].slice(0, MOST_WORDS)
}

/** Only plain words are shown to a business. */
function readable(word: string): string[] {
  return /^[\w .-]{1,60}$/.test(word) ? [word.replaceAll('_', ' ')] : []
}
