// A key's rules: as they are asked for, and as they are shown.
import type { ApiKey, ApiKeyCreated, KeyChange } from '@kestrel/contract'

import { AppError } from '../../core/errors.ts'
import { type Pence, formatPence, parsePence } from '../../core/money.ts'
import { called } from '../../domain/activity/audited.ts'
import { rulesOf } from '../../domain/api-keys/change-key.ts'
import type { CreatedKey } from '../../domain/api-keys/create-key.ts'
import { type KeyRules, requireNetworks } from '../../domain/api-keys/key-rules.ts'

type RulesWanted = Omit<KeyChange, 'confirm_code'>

/** A request's rules under the program's own names; what is left out stays out. */
export function keyRulesIn(body: RulesWanted): Partial<KeyRules> {
  const { scopes, allowed_ips: ips, expires_at: expires } = body
  return {
    ...(scopes === undefined ? {} : { scopes: [...new Set(scopes)] }),
    ...spendingLimitsIn(body),
    ...(ips === undefined ? {} : { allowedIps: ips === null ? null : requireNetworks(ips) }),
    ...(expires === undefined ? {} : { expiresAt: expires === null ? null : new Date(expires) }),
  }
}

type LimitsWanted = Pick<KeyChange, 'max_per_payout_gbp' | 'daily_gbp' | 'monthly_gbp'>

export function spendingLimitsIn(body: LimitsWanted): Partial<Pick<KeyRules, 'maxPerPayout' | 'daily' | 'monthly'>> {
  const { max_per_payout_gbp: most, daily_gbp: daily, monthly_gbp: monthly } = body
  return {
    ...(most === undefined ? {} : { maxPerPayout: limitIn('max_per_payout_gbp', most) }),
    ...(daily === undefined ? {} : { daily: limitIn('daily_gbp', daily) }),
    ...(monthly === undefined ? {} : { monthly: limitIn('monthly_gbp', monthly) }),
  }
}

function limitIn(name: string, text: string | null): Pence | null {
  const amount = text === null ? null : parsePence(text)
  if (text === null || (amount !== null && amount > 0n)) return amount
  throw new AppError(
    'invalid_request',
    `${name} must be more than 0.00. A key that must not pay needs no scope pay, a member who must not is a viewer.`,
    {
      details: { fields: [`${name} (more than 0.00, or null)`] },
    },
  )
}

const shown = (amount: Pence | null) => (amount === null ? null : formatPence(amount))

export function presentSpendingLimits({
  maxPerPayout,
  daily,
  monthly,
}: Pick<KeyRules, 'maxPerPayout' | 'daily' | 'monthly'>) {
  return { max_per_payout_gbp: shown(maxPerPayout), daily_gbp: shown(daily), monthly_gbp: shown(monthly) }
}

export function presentSpent(spending: { readonly spentToday: Pence; readonly spentThisMonth: Pence } | null) {
  return {
    spent_today_gbp: shown(spending?.spentToday ?? null),
    spent_this_month_gbp: shown(spending?.spentThisMonth ?? null),
  }
}

function presentRules(rules: KeyRules) {
  const { scopes, allowedIps, expiresAt } = rules
  return {
    scopes: [...scopes],
    ...presentSpendingLimits(rules),
    allowed_ips: allowedIps === null ? null : [...allowedIps],
    expires_at: expiresAt?.toISOString() ?? null,
  }
}

export function presentKey(key: Parameters<typeof rulesOf>[0]): ApiKey {
  return {
    id: key.id,
    environment: key.environment,
    key_prefix: key.keyPrefix,
    label: key.label,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    last_used_ip: key.lastUsedIp,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    created_by: key.createdBy,
    replaced_by: key.replacedBy,
    ...presentRules(rulesOf(key)),
    ...presentSpent(key.spending),
  }
}

export function presentCreatedKey(
  key: CreatedKey,
  limits: Pick<KeyRules, 'maxPerPayout' | 'daily' | 'monthly'>,
): ApiKeyCreated {
  return {
    id: key.id,
    environment: key.environment,
    key_prefix: key.keyPrefix,
    label: key.label,
    created_at: key.createdAt.toISOString(),
    ...presentRules({ ...rulesOf({ ...key, spending: null }), ...limits }),
    secret: key.secret,
    note: 'Copy the secret now. It is not kept and cannot be shown again.',
  }
}

/** What a log of changes tells of a key. */
export function limitsIn(key: ApiKey | ApiKeyCreated) {
  const { scopes, allowed_ips, expires_at, max_per_payout_gbp, daily_gbp, monthly_gbp } = key
  return { scopes, allowed_ips, expires_at, max_per_payout_gbp, daily_gbp, monthly_gbp }
}

/** How a key is called in a sentence: its label, or its beginning. */
export function keyName({ label, keyPrefix }: { label: string | null; keyPrefix: string }): string {
  return label === null || label === '' ? keyPrefix : called(label)
}
