// Signs where each chain ends, once a day (UTC), and whenever somebody asks.
import { headText } from '../../core/audit-chain.ts'
import { signText } from '../../core/ed25519.ts'
import type { ChainEnd, ChainId } from '../../storage/audit-chains.ts'
import { type SignedHead, addHead, claimHead, listChainsToSign } from '../../storage/audit-heads.ts'
import type { DataKeys, Deps } from '../deps.ts'
import { keepPublicKeys, platformKey } from './platform-keys.ts'

const MOST_AT_ONCE = 500

export function signedHead(secrets: DataKeys, chain: ChainId, end: ChainEnd, signedAt: Date): SignedHead {
  const key = platformKey(secrets)
  const { position, hash } = end
  const signature = signText(key, headText(chain, { position, hash, signedAt }))
  return { chain: chain.chain, position, hash, signedAt, keyId: key.id, signature }
}

/** Signs each chain that has grown, once a day, whoever else does the same. True while there is more. */
export async function signHeads(deps: Pick<Deps, 'db' | 'clock' | 'secrets'>): Promise<boolean> {
  await keepPublicKeys(deps)
  const day = deps.clock.now().toISOString().slice(0, 10)
  const due = await listChainsToSign(deps.db, day, MOST_AT_ONCE)
  for (const chain of due) {
    await deps.db.inTransaction(async (tx) => {
      const end = await claimHead(tx, chain, day)
      if (end !== null) addHead(tx, chain.partnerId, day, signedHead(deps.secrets, chain, end, deps.clock.now()))
    })
  }
  return due.length === MOST_AT_ONCE
}
