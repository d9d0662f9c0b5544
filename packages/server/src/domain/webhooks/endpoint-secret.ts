// The secret of an endpoint: made here, sealed at rest, and shown once.
import { seal, unseal } from '../../core/seal.ts'
import { randomBase64 } from '../../core/ids.ts'
import type { DataKeys } from '../deps.ts'
import { knownKeys } from '../secrets/known-keys.ts'

/** Standard Webhooks wants 24 to 64 bytes. */
const SECRET_BYTES = 32
const PREFIX = 'whsec_'

export function newSecret(): string {
  return PREFIX + randomBase64(SECRET_BYTES)
}

export function sealSecret(secrets: DataKeys, secret: string, endpointId: string): Buffer {
  return seal(secrets.sealKey, secret, boundTo(endpointId))
}

export function openSecret(secrets: DataKeys, sealed: Buffer, endpointId: string): string {
  return unseal(knownKeys(secrets, 'seal'), sealed, boundTo(endpointId))
}

/** The bytes that sign. */
export function secretBytes(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64')
}

function boundTo(endpointId: string): string {
  return `webhook endpoint ${endpointId}`
}
