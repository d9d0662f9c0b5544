// The conditions on payouts that the list, its sums and its export share.
import { type FailureCode, PAYOUT_STATUSES, type PayoutStatus, UNDER_WAY } from '@kestrel/contract'

import { assert } from '../core/assert.ts'
import { after } from '../core/clock.ts'
import type { Pence } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import { hashInWallet } from './hashed-words.ts'
import { ofKey } from './payouts.ts'

export interface PayoutCriteria {
  readonly statuses: readonly PayoutStatus[] | null
  readonly createdFrom: Date | null
  readonly createdTo: Date | null
  readonly completedFrom: Date | null
  readonly completedTo: Date | null
  /** When it failed, was cancelled or came back. */
  readonly endedFrom: Date | null
  readonly endedTo: Date | null
  readonly reference: string | null
  readonly idempotencyKey: string | null
  readonly failureCode: FailureCode | null
  readonly createdVia: 'api' | 'dashboard' | null
  readonly amountFrom: Pence | null
  readonly amountTo: Pence | null
  readonly search: PayoutSearch | null
}

export const NO_CRITERIA: PayoutCriteria = {
  statuses: null,
  createdFrom: null,
  createdTo: null,
  completedFrom: null,
  completedTo: null,
  endedFrom: null,
  endedTo: null,
  reference: null,
  idempotencyKey: null,
  failureCode: null,
  createdVia: null,
  amountFrom: null,
  amountTo: null,
  search: null,
}

/** Typed text, as everything that it could mean. A payout is found when any of these fits. */
export interface PayoutSearch {
  /** Each begins a word of the name, or each begins a word of the reference. */
  readonly words: readonly string[]
  readonly accountLast4: string | null
  readonly amount: Pence | null
  readonly id: string | null
  readonly idPrefix: string | null
}

/** A place in the list. */
export interface PayoutPlace {
  readonly createdAt: Date
  readonly id: string
}

export interface PayoutCondition {
  /** All of it. */
  readonly where: string
  /** The part about facts that a payout has from the beginning, which the index by time has too. */
  readonly fixed: string
  /** The part of that about places in the list. */
  readonly places: string
  /** The part about how far payouts have come. */
  readonly moving: string
  /** The first two are the partner and the environment. */
  readonly values: unknown[]
  /**
   * Names the conditions that are there. Null when the statement should be planned anew each time, because the best
   * plan depends on the values.
   */
  readonly name: string | null
}

/** A part of the list, the newest first. */
export interface PayoutStretch {
  /** Only payouts older than this one. */
  readonly before: PayoutPlace | null
  /** Only this payout and newer ones. */
  readonly downTo: PayoutPlace | null
}

export const WHOLE_LIST: PayoutStretch = { before: null, downTo: null }

/** At most one payout has a key, and is found by the index of keys before anything else is looked at. */
const OF_KEY = `id = (select id from payouts where ${ofKey('?', 'released_at is null')} limit 1)`

const OF_WALLET = ['partner_id = $1', 'environment = $2']
/** What stands in `array[]` is compared, and looked up by no index: a reference is found by its own. */
export const COMPARED_WALLET = ['array[partner_id] = array[$1::uuid]', 'array[environment] = array[$2::environment]']

/** By the hash that the index has, and by the reference itself. */
const OF_REFERENCE = `${hashInWallet('reference', 'partner_id', 'environment')}
    = ${hashInWallet('?::text', '$1::uuid', '$2::environment')} and reference = ?`

/** Each combination of conditions has its own statement: an absent condition must not blur the plan of the others. */
export function payoutCondition(
  scope: Scope,
  criteria: PayoutCriteria,
  { before, downTo }: PayoutStretch,
): PayoutCondition {
  const values: unknown[] = [scope.partnerId, scope.environment]
  const places = [...(criteria.reference === null ? OF_WALLET : COMPARED_WALLET)]
  // What was released never was a payout. The indexes leave it out.
  const fixed = ['released_at is null']
  const moving = ['surfaced_at is not null']
  const names: string[] = []
  const narrow = (to: string[], by: string, condition: string, ...given: unknown[]) => {
    to.push(given.reduce<string>((text, value) => text.replace('?', `$${values.push(value)}`), condition))
    names.push(by)
  }
  const { statuses, search } = criteria
  if (statuses !== null) narrow(moving, statuses.join('_'), isOneOf(statuses))
  if (criteria.createdFrom !== null) narrow(places, 'from', 'created_at >= ?', criteria.createdFrom)
  const createdTo = latestCreation(criteria)
  if (createdTo !== null) narrow(places, 'to', 'created_at < ?', createdTo)
  if (criteria.reference !== null) narrow(fixed, 'reference', OF_REFERENCE, criteria.reference, criteria.reference)
  if (criteria.idempotencyKey !== null) narrow(fixed, 'key', OF_KEY, criteria.idempotencyKey, criteria.idempotencyKey)
  if (before !== null) narrow(places, 'before', '(created_at, id) < (?, ?)', before.createdAt, before.id)
  if (downTo !== null) narrow(places, 'down_to', '(created_at, id) >= (?, ?)', downTo.createdAt, downTo.id)
  const isNameable = (statuses?.length ?? 0) < 2 && !scansTheIndex(criteria)
  if (criteria.completedFrom !== null) narrow(moving, 'completed', 'completed_at >= ?', criteria.completedFrom)
  if (criteria.completedTo !== null) narrow(moving, 'completed', 'completed_at < ?', criteria.completedTo)
  if (criteria.endedFrom !== null) narrow(moving, 'ended', 'ended_at >= ?', criteria.endedFrom)
  if (criteria.endedTo !== null) narrow(moving, 'ended', 'ended_at < ?', criteria.endedTo)
  if (criteria.failureCode !== null)
    narrow(moving, 'failure', 'failure_code_of(status, provider_reason) = ?', criteria.failureCode)
  if (criteria.createdVia !== null) narrow(fixed, 'via', 'created_via = ?', criteria.createdVia)
  if (criteria.amountFrom !== null) narrow(fixed, 'amount', 'amount_pence >= ?', criteria.amountFrom)
  if (criteria.amountTo !== null) narrow(fixed, 'amount', 'amount_pence <= ?', criteria.amountTo)
  if (search !== null) narrow(fixed, 'search', ...searchCondition(search))
  return {
    where: [...places, ...fixed, ...moving].join(' and '),
    fixed: [...places, ...fixed].join(' and '),
    places: places.join(' and '),
    moving: moving.join(' and '),
    values,
    name: isNameable ? names.map((name) => `_${name}`).join('') : null,
  }
}

/** More than the clocks of two processes are apart. */
const CLOCKS_APART_MS = 24 * 3_600_000

/** Before when a payout that fits was created, which is before it completed or ended; null: at any time. */
export function latestCreation(criteria: Pick<PayoutCriteria, 'createdTo' | 'completedTo' | 'endedTo'>): Date | null {
  const { createdTo, completedTo, endedTo } = criteria
  const later = [completedTo, endedTo].map((moment) => (moment === null ? null : after(moment, CLOCKS_APART_MS)))
  const moments = [createdTo, ...later].filter((moment) => moment !== null)
  return moments.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null
}

/** Written out. They are words of ours, so this is safe. */
export function isOneOf(statuses: readonly PayoutStatus[]): string {
  assert(
    statuses.every((status) => PAYOUT_STATUSES.includes(status)),
    'a status is one of the statuses',
  )
  return `status in (${statuses.map((status) => `'${status}'`).join(', ')})`
}

/** A whole id is found by itself, however far back it is. */
export const isOfOneId = ({ search }: Pick<PayoutCriteria, 'search'>): boolean => (search?.id ?? null) !== null

/**
 * Whether payouts that do not fit are passed over one by one. Then only so many are looked at per question, or one that fits
 * nothing would read all that there ever was. What is followed is little, and has a list of its own.
 */
export function looksThrough(criteria: PayoutCriteria): boolean {
  if (isOfOneId(criteria)) return false
  const isFollowed = criteria.statuses?.every((status) => UNDER_WAY.has(status)) ?? false
  return !isFollowed && (criteria.statuses !== null || scansTheIndex(criteria))
}

/**
 * Whether there are conditions that no index key answers. The index by time holds what was asked for, so that only payouts
 * that fit are looked up in the table.
 */
export function scansTheIndex(criteria: PayoutCriteria): boolean {
  const { failureCode, createdVia, amountFrom, amountTo, completedFrom, completedTo, endedFrom, endedTo, search } =
    criteria
  const unkeyed = [failureCode, createdVia, amountFrom, amountTo, completedFrom, completedTo, endedFrom, endedTo]
  return unkeyed.some((asked) => asked !== null) || (search !== null && search.id === null)
}

function searchCondition(search: PayoutSearch): [condition: string, ...given: unknown[]] {
  if (search.id !== null) return ['id = ?', search.id]
  const fits: string[] = []
  const given: unknown[] = []
  const or = (condition: string, ...values: unknown[]) => {
    fits.push(`(${condition})`)
    given.push(...values)
  }
  for (const column of search.words.length === 0 ? [] : ['recipient_name', 'reference']) {
    or(search.words.map(() => `lower(' ' || ${column}) like lower(?)`).join(' and '), ...search.words.map(beginsAWord))
  }
  if (search.accountLast4 !== null) or('account_last4 = ?', search.accountLast4)
  if (search.amount !== null) or('amount_pence = ?', search.amount)
  if (search.idPrefix !== null) or('id::text like ?', `${literally(search.idPrefix)}%`)
  return [`(${fits.join(' or ')})`, ...given]
}

function beginsAWord(word: string): string {
  return `% ${literally(word)}%`
}

/** Typed text means itself, also where it holds LIKE's special characters. */
function literally(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)
}
