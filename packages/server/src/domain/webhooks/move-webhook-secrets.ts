// Seals the secrets of webhook endpoints anew, with the newest key.
import { LOWEST_ID } from '../../core/ids.ts'
import { keyId } from '../../core/seal.ts'
import { type SealedSecrets, resealSecrets, takeSecretsOfOlderKeys } from '../../storage/sealed-webhook-secrets.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { openSecret, sealSecret } from './endpoint-secret.ts'

type MoveDeps = Pick<Deps, 'secrets' | 'onAlarm'>

const BATCH = 200

export async function moveWebhookSecrets(tx: Tx, deps: MoveDeps): Promise<void> {
  let after = LOWEST_ID
  for (;;) {
    const found = await takeSecretsOfOlderKeys(tx, keyId(deps.secrets.sealKey), after, BATCH)
    resealSecrets(
      tx,
      found.flatMap((each) => resealed(deps, each) ?? []),
    )
    if (found.length < BATCH) return
    after = found.at(-1)!.id
  }
}

/** Null for one that cannot be opened: it stays as it is, and an alarm tells of it. */
function resealed(deps: MoveDeps, each: SealedSecrets): SealedSecrets | null {
  const again = (sealed: Buffer) => sealSecret(deps.secrets, openSecret(deps.secrets, sealed, each.id), each.id)
  try {
    return { ...each, secret: again(each.secret), previous: each.previous === null ? null : again(each.previous) }
  } catch (error) {
    const { partnerId, id: endpointId } = each
    deps.onAlarm('a webhook secret could not be moved to the newest key', { partnerId, endpointId, err: error })
    return null
  }
}
