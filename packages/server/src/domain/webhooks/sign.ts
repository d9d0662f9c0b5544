// Signs what is sent, as Standard Webhooks says: `v1` with the endpoint's secret, and `v1a` with a key of this
// service whose public half anybody can read. Both sign the same text, and both are the endpoint's own: what one business was
// sent, nobody can show to another's receiver.
import { type KeyObject, createHmac, createSecretKey, sign } from 'node:crypto'

import { ed25519From } from '../../core/ed25519.ts'
import { keyedHash } from '../../core/seal.ts'
import type { DataKeys } from '../deps.ts'
import { knownKeys } from '../secrets/known-keys.ts'
import { secretBytes } from './endpoint-secret.ts'

export interface SignedMessage {
  /** The event's id: the same at every attempt. */
  readonly id: string
  /** The moment of this attempt. */
  readonly at: Date
  readonly body: string
}

export interface Signing {
  readonly endpointId: string
  /** The newest first; during a rotation there are two. */
  readonly endpointSecrets: readonly string[]
}

export interface SignedHeaders {
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

/** Signs one message after the other with the keys that it was made with. */
export type Signer = (message: SignedMessage) => { readonly headers: SignedHeaders; readonly body: Buffer }

export function createSigner(secrets: DataKeys, { endpointId, endpointSecrets }: Signing): Signer {
  const own = endpointSecrets.map((each) => createSecretKey(secretBytes(each)))
  const ours = signingKeys(secrets, endpointId)
  return ({ id, at, body }) => {
    const timestamp = timestampOf(at)
    const before = `${id}.${timestamp}.`
    // Written as bytes once, for all signatures and for the request.
    const text = Buffer.from(before + body)
    const signatures = [
      ...own.map((key) => `v1,${createHmac('sha256', key).update(text).digest('base64')}`),
      ...ours.map(({ privateKey }) => `v1a,${sign(null, text, privateKey).toString('base64')}`),
    ]
    return {
      headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') },
      body: text.subarray(before.length),
    }
  }
}

export function signedHeaders(secrets: DataKeys, signing: Signing, message: SignedMessage): SignedHeaders {
  return createSigner(secrets, signing)(message).headers
}

export function timestampOf(at: Date): string {
  return String(Math.floor(at.getTime() / 1_000))
}

interface SigningKey {
  readonly id: string
  readonly privateKey: KeyObject
  /** `whpk_` and the 32 bytes. */
  readonly publicKey: string
}

/**
 * One per endpoint and fingerprint key, so an installation has the same in every process and keeps no further secret.
 * While the operator changes that key, the old one signs as well.
 */
export function signingKeys(secrets: DataKeys, endpointId: string): readonly SigningKey[] {
  return knownKeys(secrets, 'fingerprint').map((key) => keyOf(key, endpointId))
}

/** Making one takes ten times as long as signing with it, so they are kept, by the key that they are made from. */
const made = new WeakMap<Buffer, Map<string, SigningKey>>()
const MOST_KEPT = 1_000

function keyOf(fingerprintKey: Buffer, endpointId: string): SigningKey {
  const kept = made.get(fingerprintKey) ?? new Map<string, SigningKey>()
  made.set(fingerprintKey, kept)
  const key = kept.get(endpointId) ?? makeKey(fingerprintKey, endpointId)
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(endpointId, key)
  return key
}

function makeKey(fingerprintKey: Buffer, endpointId: string): SigningKey {
  const seed = keyedHash(fingerprintKey, `kestrel webhook signing key v1\n${endpointId}`)
  const { id, privateKey, publicKey } = ed25519From(seed)
  return { id, privateKey, publicKey: `whpk_${publicKey.toString('base64')}` }
}
