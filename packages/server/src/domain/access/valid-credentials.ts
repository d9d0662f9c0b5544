import { after } from '../../core/clock.ts'
import { findValidCredentials } from '../../storage/credentials.ts'
import type { Deps } from '../deps.ts'
import { SESSION_IDLE_MS } from './session-limits.ts'

/** Which of many keys and sessions still work, by their hashes: one query for all. */
export async function areValidCredentials(
  deps: Pick<Deps, 'db' | 'clock'>,
  hashes: readonly Buffer[],
): Promise<boolean[]> {
  const at = deps.clock.now()
  const found = await findValidCredentials(deps.db, hashes, { at, seenSince: after(at, -SESSION_IDLE_MS) })
  const valid = new Set(found.map((hash) => hash.toString('hex')))
  return hashes.map((hash) => valid.has(hash.toString('hex')))
}
