// A live key moves real money without asking again, so making one is confirmed by a code.
import type { Environment } from '@kestrel/contract'

import { notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import { countActiveKeys, findKey } from '../../storage/api-keys.ts'
import type { Partner } from '../../storage/partners.ts'
import { MOST_ACTIVE_KEYS, keyLimitReached, requireVerified } from '../api-keys/create-key.ts'
import { requireKeyLeft } from '../api-keys/key-allowance.ts'
import type { Deps } from '../deps.ts'
import type { Door } from './doors.ts'

type KeyPartner = Pick<Partner, 'id' | 'verificationStatus'>

/** Null for a sandbox key. What would be refused anyway is refused before a code is mailed. */
export async function doorToNewKey(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  partner: KeyPartner,
  { environment, label }: { environment: Environment; label: string | null },
): Promise<Door | null> {
  if (environment === 'sandbox') return null
  requireVerified(partner, environment)
  const active = await countActiveKeys(deps.db, partner.id, environment, deps.clock.now())
  if (active >= MOST_ACTIVE_KEYS) throw keyLimitReached(environment)
  await requireKeyLeft(deps.db, deps, partner.id)
  return {
    action: 'key.create',
    exactly: [environment, label],
    title: 'Create a live API key',
    facts: [['Label', label ?? 'none']],
  }
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
