// Ed25519 keys made from a seed, so that an installation has the same in every process and keeps no further secret.
import { type KeyObject, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'

import { keyId } from './seal.ts'

export interface Ed25519Key {
  readonly id: string
  readonly privateKey: KeyObject
  /** The 32 bytes. */
  readonly publicKey: Buffer
}

/** The start of every Ed25519 private key in PKCS #8, and of every public key in SPKI; its 32 bytes follow. */
const PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI_START = Buffer.from('302a300506032b6570032100', 'hex')
const PUBLIC_BYTES = 32

export function ed25519From(seed: Buffer): Ed25519Key {
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_START, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-PUBLIC_BYTES)
  return { id: keyId(publicKey).toString('hex'), privateKey, publicKey }
}

export const signText = ({ privateKey }: Ed25519Key, text: string | Buffer): Buffer =>
  sign(null, typeof text === 'string' ? Buffer.from(text) : text, privateKey)

export function isSignedBy(publicKey: Buffer, text: string | Buffer, signature: Buffer): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI_START, publicKey]), format: 'der', type: 'spki' })
  return verify(null, typeof text === 'string' ? Buffer.from(text) : text, key, signature)
}
