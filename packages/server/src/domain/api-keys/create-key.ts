// At most five active keys an environment, however many are asked for at once.
import type { Environment } from '@kestrel/contract'

import { AppError } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { type ApiKeyRow, countActiveKeys, insertKey } from '../../storage/api-keys.ts'
import { type Partner, lockPartner } from '../../storage/partners.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { newKey } from './key-format.ts'

const MOST_ACTIVE_KEYS = 5
const LONGEST_LABEL = 60

export type CreatedKey = ApiKeyRow & { readonly secret: string }

export function createKey(
  deps: Pick<Deps, 'db' | 'clock'>,
  wanted: {
    partner: Pick<Partner, 'id' | 'verificationStatus'>
    environment: Environment
    label: string | null
  },
): Promise<CreatedKey> {
  const { partner, environment, label } = wanted
  if (label !== null && [...label].length > LONGEST_LABEL) {
    throw new AppError('invalid_request', `A label has at most ${LONGEST_LABEL} characters.`, {
      details: { fields: [`label (at most ${LONGEST_LABEL} characters)`] },
    })
  }
  if (environment === 'live' && partner.verificationStatus !== 'approved') {
    throw new AppError(
      'api_key_required',
      `A live key is available once business verification is approved; it is ${partner.verificationStatus} now.`,
    )
  }
  return deps.db.inTransaction((tx) => createKeyIn(tx, partner.id, { environment, label, at: deps.clock.now() }))
}

export async function createKeyIn(
  tx: Tx,
  partnerId: string,
  wanted: { environment: Environment; label: string | null; at: Date },
): Promise<CreatedKey> {
  const { environment, label, at } = wanted
  await lockPartner(tx, partnerId)
  if ((await countActiveKeys(tx, partnerId, environment)) >= MOST_ACTIVE_KEYS) {
    throw new AppError(
      'key_limit_reached',
      `There are ${MOST_ACTIVE_KEYS} active ${environment} keys already, which is the limit. Revoke one first.`,
    )
  }
  const { secret, keyHash, keyPrefix } = newKey(environment)
  const id = newId(at)
  insertKey(tx, { partnerId, id, environment, keyHash, keyPrefix, label, createdAt: at })
  return { id, environment, keyPrefix, label, createdAt: at, lastUsedAt: null, revokedAt: null, secret }
}
