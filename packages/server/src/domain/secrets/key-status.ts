// All keys, by their ids, and how many rows still need each.
import { keyId } from '../../core/seal.ts'
import { findResealing } from '../../storage/resealing.ts'
import { type SecretKey, countKeyUse, readSecretKeys } from '../../storage/secret-keys.ts'
import type { DataKeys, Deps } from '../deps.ts'
import { type KeyPurpose, knownKeys } from './known-keys.ts'
import { KEY_PURPOSES, newestKeys } from './bind-keys.ts'

export interface KeyStatus {
  readonly purpose: KeyPurpose
  readonly id: string
  /**
   * `new`: the next start makes it the newest. `unused`: given among the old ones, and no start has had it as its own,
   * because keys were changed twice before one, or because a process is still to have it.
   */
  readonly state: 'new' | 'unused' | 'newest' | 'older' | 'retired'
  readonly rows: number
  /** Whether it is among the keys that this command was given. */
  readonly isHere: boolean
}

export interface SecretsStatus {
  readonly keys: readonly KeyStatus[]
  /** Whether the worker is still moving rows to the newest keys. */
  readonly isMoving: boolean
}

/** `given` is what the next start would be given: a process that runs has the newest key in front. */
export function readKeyStatus(
  deps: Pick<Deps, 'reports' | 'secrets'>,
  given: DataKeys = deps.secrets,
): Promise<SecretsStatus> {
  return deps.reports.inTransaction(async (tx) => {
    const registered = await readSecretKeys(tx)
    const uses = await countKeyUse(tx)
    const resealing = await findResealing(tx)
    const rowsOf = (purpose: KeyPurpose, id: Buffer) =>
      uses.find((use) => use.purpose === purpose && use.keyId.equals(id))?.rows ?? 0
    const newest = newestKeys(registered)
    const stateOf = (key: SecretKey): KeyStatus['state'] =>
      key.retiredAt !== null ? 'retired' : key.keyId.equals(newest[key.purpose]!) ? 'newest' : 'older'
    const keys = KEY_PURPOSES.flatMap((purpose): KeyStatus[] => {
      const here = knownKeys(given, purpose).map(keyId)
      const inDatabase = registered.filter((key) => key.purpose === purpose)
      const unused = here.filter((id) => !inDatabase.some((key) => key.keyId.equals(id)))
      return [
        ...unused.map((id) => ({
          purpose,
          id: id.toString('hex'),
          state: id.equals(here[0]!) ? ('new' as const) : ('unused' as const),
          rows: rowsOf(purpose, id),
          isHere: true,
        })),
        ...inDatabase.toReversed().map((key) => ({
          purpose,
          id: key.keyId.toString('hex'),
          state: stateOf(key),
          rows: rowsOf(purpose, key.keyId),
          isHere: here.some((id) => id.equals(key.keyId)),
        })),
      ]
    })
    return { keys, isMoving: resealing !== null && resealing.finishedAt === null }
  })
}
