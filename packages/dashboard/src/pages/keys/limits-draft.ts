// The limits of a key as they are typed, and as they are asked for.
import type { ApiKey, KeyChange } from '@kestrel/contract'

import { londonDay, londonMidnight } from '../../format/dates.ts'
import { type AmountsDraft, amountsInWords, amountsOf, changedAmounts, isMistaken } from '../../limits/amounts-draft.ts'

export type Scope = ApiKey['scopes'][number]
export const SCOPES: readonly { readonly scope: Scope; readonly words: string }[] = [
  { scope: 'read', words: 'Read: payouts, balance, invoices and everything else' },
  { scope: 'quote', words: 'Quote: ask for prices' },
  { scope: 'pay', words: 'Pay: make, cancel and pause payouts' },
  { scope: 'webhooks', words: 'Webhooks: manage where events go' },
  { scope: 'sandbox', words: 'Sandbox: choose outcomes, add test money' },
]

export interface LimitsDraft extends AmountsDraft {
  readonly scopes: readonly Scope[]
  readonly networks: string
  readonly lastDay: string
}

type Limits = Pick<ApiKey, 'scopes' | 'max_per_payout_gbp' | 'daily_gbp' | 'monthly_gbp' | 'allowed_ips' | 'expires_at'>

export function draftOf(key: Limits): LimitsDraft {
  return {
    scopes: key.scopes,
    ...amountsOf(key),
    networks: key.allowed_ips?.join('\n') ?? '',
    lastDay: key.expires_at === null ? '' : londonDay(new Date(key.expires_at)),
  }
}

/** A live key can do nothing in the sandbox, whatever it says. */
export const scopesIn = (environment: ApiKey['environment']) =>
  SCOPES.filter(({ scope }) => environment === 'sandbox' || scope !== 'sandbox')

/** What is not shown stays as it is, unless nothing else is left. */
export function withScope(
  draft: LimitsDraft,
  environment: ApiKey['environment'],
  { scope, isOn }: { scope: Scope; isOn: boolean },
): LimitsDraft {
  const shown = scopesIn(environment).map((each) => each.scope)
  const isChosen = (each: Scope) => (each === scope ? isOn : draft.scopes.includes(each))
  const scopes = SCOPES.map((each) => each.scope).filter(isChosen)
  return { ...draft, scopes: shown.some(isChosen) ? scopes : [] }
}

export const NO_LIMITS = (environment: ApiKey['environment']): Limits => ({
  scopes: SCOPES.map(({ scope }) => scope).filter((scope) => environment === 'sandbox' || scope !== 'webhooks'),
  max_per_payout_gbp: null,
  daily_gbp: null,
  monthly_gbp: null,
  allowed_ips: null,
  expires_at: null,
})

/** The name of the first field that cannot be read; null when all can. */
export function mistakeIn({ scopes, ...amounts }: LimitsDraft): 'scopes' | 'amount' | null {
  if (scopes.length === 0) return 'scopes'
  return isMistaken(amounts) ? 'amount' : null
}

/** What differs from the key as it is; nothing else is sent. */
export function changesIn(draft: LimitsDraft, key: Limits): Omit<KeyChange, 'confirm_code'> {
  const before = draftOf(key)
  const networks = draft.networks.split(/[\s,]+/).filter((text) => text !== '')
  return {
    ...(sameScopes(draft.scopes, before.scopes) ? {} : { scopes: [...draft.scopes] }),
    ...changedAmounts(draft, key),
    ...(draft.networks.trim() === before.networks.trim()
      ? {}
      : { allowed_ips: networks.length === 0 ? null : networks }),
    ...(draft.lastDay === before.lastDay
      ? {}
      : { expires_at: draft.lastDay === '' ? null : londonMidnight(draft.lastDay) }),
  }
}

const sameScopes = (a: readonly Scope[], b: readonly Scope[]) =>
  a.length === b.length && a.every((scope) => b.includes(scope))

/** The limits of a key in a few words; null for one that has none. */
export function limitsInWords(key: ApiKey): string | null {
  const words = [
    ...amountsInWords(key),
    ...(sameScopes(key.scopes, NO_LIMITS(key.environment).scopes) ? [] : [`for ${key.scopes.join(', ')}`]),
    ...(key.allowed_ips === null
      ? []
      : [key.allowed_ips.length === 1 ? 'from 1 network' : `from ${key.allowed_ips.length} networks`]),
  ]
  return words.length === 0 ? null : words.join('; ')
}
