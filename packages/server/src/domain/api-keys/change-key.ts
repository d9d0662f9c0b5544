// Narrows or widens a key. Narrowing counts at once, in every process: scopes and networks are read with each request, and
// what may be paid is read under the wallet's lock by the statement that reserves.
import type { Environment } from '@kestrel/contract'

import { AppError, notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import { type ApiKeyRow, findKey, setKeyRules } from '../../storage/api-keys.ts'
import { type Partner, lockPartner } from '../../storage/partners.ts'
import { type Spending, type SpendingLimits, type ShownKey, listSpending } from '../../storage/spending-limits.ts'
import type { Db, Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { refuseLimitedMember } from '../spending/limited-member.ts'
import { isSameLimits, limitSpender, limitsOf } from '../spending/spender-limits.ts'
import { type KeyNotice, type NoticeDeps, tellAdmins } from './key-notice.ts'
import { noteKey } from './note-key.ts'
import { type KeyRules, requireLater, scopesOf, widens } from './key-rules.ts'

export type KeyWithRules = ApiKeyRow & { readonly spending: Spending | null }

export async function findKeyWithRules(db: Db, partnerId: string, keyId: string, at: Date): Promise<KeyWithRules> {
  const key = isUuid(keyId) ? await findKey(db, partnerId, keyId, at) : null
  if (key === null) throw notFound()
  const scope = { partnerId, environment: key.environment }
  const [spending = null] = await listSpending(db, scope, [key.spenderId], at)
  return { ...key, spending }
}

export function rulesOf({ environment, scopes, allowedIps, expiresAt, spending }: ShownKey): KeyRules {
  return { scopes: scopesOf(environment, scopes), allowedIps, expiresAt, ...limitsOf(spending) }
}

/** `isConfirmed`: a mailed code for exactly this came with it. Without one, a live key is never widened. */
export async function changeKey(
  deps: Pick<Deps, 'db' | 'clock'> & NoticeDeps,
  wanted: {
    partner: Pick<Partner, 'id' | 'name'>
    keyId: string
    changes: Partial<KeyRules>
    isConfirmed: boolean
    notice: KeyNotice
  },
): Promise<{ before: KeyWithRules; key: KeyWithRules }> {
  const { partner, keyId, changes, isConfirmed, notice } = wanted
  const changed = await deps.db.inTransaction(async (tx) => {
    await lockPartner(tx, partner.id)
    const at = deps.clock.now()
    const key = await findKeyWithRules(tx, partner.id, keyId, at)
    if (key.revokedAt !== null) throw new AppError('invalid_request', 'This key no longer works. Nothing was changed.')
    const before = rulesOf(key)
    const after = { ...before, ...changes }
    if ('expiresAt' in changes) requireLater(after.expiresAt, at)
    const isWider = widens(before, after)
    if (isWider && after.scopes.includes('pay')) {
      const member = { partnerId: partner.id, environment: key.environment, memberId: notice.memberId }
      await refuseLimitedMember(tx, member, at)
    }
    // Compared with what holds now, under the lock: somebody may have narrowed it since the page was opened.
    if (key.environment === 'live' && !isConfirmed && isWider) throw widensWithoutCode()
    await tellAdmins(tx, deps, { event: 'changed', partner, key, notice, isFree: !isConfirmed })
    setKeyRules(tx, { partnerId: partner.id, id: key.id, ...after })
    await keepLimits(tx, { partnerId: partner.id, environment: key.environment }, { key, before, after, at })
    const now = await findKeyWithRules(tx, partner.id, keyId, at)
    await noteKey(tx, partner.id, { type: 'api_key.changed', key: now, at })
    return { before: key, key: now }
  })
  deps.post.wake()
  return changed
}

async function keepLimits(
  tx: Tx,
  scope: { partnerId: string; environment: Environment },
  { key, before, after, at }: { key: ApiKeyRow; before: SpendingLimits; after: SpendingLimits; at: Date },
): Promise<void> {
  if (isSameLimits(before, after)) return
  await limitSpender(tx, scope, { spenderId: key.spenderId, limits: after, at })
}

function widensWithoutCode(): AppError {
  return new AppError(
    'confirm_code_required',
    'Giving a live API key more than it has needs a mailed code. Ask for it with POST /v1/confirm-codes and send it along. Nothing was done.',
  )
}
