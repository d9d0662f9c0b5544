// What an operator is told whose keys do not fit: which one, by its id, and what to do.
import { counted } from '../../core/words.ts'
import type { KeyUse, SecretKey } from '../../storage/secret-keys.ts'
import type { KeyPurpose } from './known-keys.ts'

const VARIABLES = { seal: 'KESTREL_SEAL_KEY', fingerprint: 'KESTREL_FINGERPRINT_KEY' } as const

export function otherSecrets(): string {
  return 'This database was set up with other secrets, so its recipients could not be read. Use the DATA_DIR or the KESTREL_SEAL_KEY and KESTREL_FINGERPRINT_KEY that it was last started with.'
}

export function behindNewest(purpose: KeyPurpose, id: Buffer): string {
  return `This database has a newer ${purpose} key, ${id.toString('hex')}, which this process does not have. Start it with that one in ${VARIABLES[purpose]} and the one before in ${VARIABLES[purpose]}S_OLD, or with the secrets.json that has both.`
}

export function stillNeeded({ purpose, keyId, rows }: KeyUse): string {
  return `${counted(rows, 'row still needs', 'rows still need')} the ${purpose} key ${keyId.toString('hex')}, which this process does not have. Put it back into ${VARIABLES[purpose]}S_OLD, or put back the secrets.json that has it, until kestrel secrets status says that no row needs it.`
}

export function isRetired({ purpose, keyId }: Pick<SecretKey, 'purpose' | 'keyId'>): string {
  return `The ${purpose} key ${keyId.toString('hex')} was retired and is not used again. Use the newest, or a new one from: openssl rand -hex 32`
}
