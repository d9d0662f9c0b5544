// A live key moves real money without asking again, so making one is confirmed by a code.
import type { Environment } from '@kestrel/contract'

import { notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import { formatPence } from '../../core/money.ts'
import { countActiveKeys, findKey } from '../../storage/api-keys.ts'
import type { Partner } from '../../storage/partners.ts'
import { findKeyWithRules, rulesOf } from '../api-keys/change-key.ts'
import { MOST_ACTIVE_KEYS, keyLimitReached, requireVerified } from '../api-keys/create-key.ts'
import { requireKeyLeft } from '../api-keys/key-allowance.ts'
import { type KeyRules, scopesOf, widens } from '../api-keys/key-rules.ts'
import type { Deps } from '../deps.ts'
import { refuseLimitedMember } from '../spending/limited-member.ts'
import type { Door } from './doors.ts'

type KeyPartner = Pick<Partner, 'id' | 'verificationStatus'> & {
  /** The member who asks. */
  readonly spenderId: string
}

/** Null for a sandbox key. What would be refused anyway is refused before a code is mailed. */
export async function doorToNewKey(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  partner: KeyPartner,
  { environment, label, rules = {} }: { environment: Environment; label: string | null; rules?: Partial<KeyRules> },
): Promise<Door | null> {
  if (environment === 'sandbox') return null
  requireVerified(partner, environment)
  const active = await countActiveKeys(deps.db, partner.id, environment, deps.clock.now())
  if (active >= MOST_ACTIVE_KEYS) throw keyLimitReached(environment)
  await requireKeyLeft(deps.db, deps, partner.id)
  if (scopesOf(environment, rules.scopes ?? null).includes('pay')) await refuseLimited(deps, partner, environment)
  return {
    action: 'key.create',
    exactly: [environment, label, ...exactlyThese(rules)],
    title: 'Create a live API key',
    facts: [['Label', label ?? 'none'], ...rulesInWords(rules)],
  }
}

/** Null for a sandbox key, and for a change after which the key may do nothing that it may not do now. */
export async function doorToKeyChange(
  deps: Pick<Deps, 'db' | 'clock'>,
  partner: Pick<KeyPartner, 'id' | 'spenderId'>,
  { keyId, changes }: { keyId: string; changes: Partial<KeyRules> },
): Promise<Door | null> {
  const key = await findKeyWithRules(deps.db, partner.id, keyId, deps.clock.now())
  const before = rulesOf(key)
  if (key.environment === 'sandbox' || !widens(before, { ...before, ...changes })) return null
  if ((changes.scopes ?? before.scopes).includes('pay')) await refuseLimited(deps, partner, key.environment)
  return {
    action: 'key.change',
    exactly: [key.id, ...exactlyThese(changes)],
    title: 'Give a live API key more than it has',
    facts: [['Key', `${key.keyPrefix}…`], ['Label', key.label ?? 'none'], ...rulesInWords(changes)],
  }
}

function refuseLimited(
  deps: Pick<Deps, 'db' | 'clock'>,
  { id, spenderId }: Pick<KeyPartner, 'id' | 'spenderId'>,
  environment: Environment,
): Promise<void> {
  return refuseLimitedMember(deps.db, { partnerId: id, environment, memberId: spenderId }, deps.clock.now())
}

/** Each rule that is named, and nothing for those that are not. */
function exactlyThese(rules: Partial<KeyRules>): (string | null)[] {
  return Object.entries(rules)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, value]) => [name, value === null ? null : wordsOf(value)])
}

const NAMES: Readonly<Record<keyof KeyRules, string>> = {
  scopes: 'May be used for',
  maxPerPayout: 'Most per payout',
  daily: 'Most per day',
  monthly: 'Most per month',
  allowedIps: 'May be used from',
  expiresAt: 'Stops at',
}

function rulesInWords(rules: Partial<KeyRules>): [string, string][] {
  return (Object.keys(NAMES) as (keyof KeyRules)[])
    .filter((name) => name in rules)
    .map((name) => [NAMES[name], rules[name] == null ? 'no limit' : wordsOf(rules[name])])
}

function wordsOf(value: Exclude<KeyRules[keyof KeyRules], null>): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'bigint' ? `${formatPence(value)} GBP` : [...value].join(', ')
}

export async function doorToRotation(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  partner: KeyPartner,
  { keyId, graceSeconds }: { keyId: string; graceSeconds: number },
): Promise<Door | null> {
  const key = isUuid(keyId) ? await findKey(deps.db, partner.id, keyId, deps.clock.now()) : null
  if (key === null) throw notFound()
  if (key.environment === 'sandbox') return null
  requireVerified(partner, key.environment)
  await requireKeyLeft(deps.db, deps, partner.id)
  if (scopesOf(key.environment, key.scopes).includes('pay')) await refuseLimited(deps, partner, key.environment)
  return {
    action: 'key.rotate',
    exactly: [key.id, graceSeconds],
    title: 'Rotate a live API key',
    facts: [
      ['Key', `${key.keyPrefix}…`],
      ['Label', key.label ?? 'none'],
      ['The old key works on for', graceSeconds === 0 ? 'no time' : `${graceSeconds / 3_600} hours`],
    ],
  }
}
