// The secrets of an endpoint and when each signs, and what is wrong with the signature of a message, by the official library.
import { type KeyObject, createPublicKey, verify } from 'node:crypto'

import { Webhook } from 'standardwebhooks'

import type { Received } from '../../support/receiver.ts'

interface KnownSecret {
  readonly secret: string
  /** Null: it signs now. */
  until: number | null
}

export interface SecretBook {
  /** The one before signs until then. */
  rotated(secret: string, previousUntil: number): void
  knowPublicKeys(keys: readonly { readonly public_key: string }[]): void
  /** Null: it is right. Asked when the message comes, as a receiver does: the library also looks at its age. */
  problemWith(message: Received): string | null
  /** How many messages were signed with two secrets. */
  signedTwice(): number
}

export function createSecretBook(first: string): SecretBook {
  const known: KnownSecret[] = [{ secret: first, until: null }]
  let publicKeys: KeyObject[] = []
  let twice = 0
  return {
    rotated: (secret, previousUntil) => {
      known.at(-1)!.until = previousUntil
      known.push({ secret, until: null })
    },
    knowPublicKeys: (keys) => void (publicKeys = keys.map(({ public_key: text }) => publicKeyOf(text))),
    problemWith: (message) => {
      const signedAt = Number(message.headers['webhook-timestamp']) * 1_000
      const signing = known.filter(({ secret }) => isVerified(secret, message))
      if (signing.length > 1) twice += 1
      const tooLate = signing.filter(({ until }) => until !== null && signedAt >= until)
      if (tooLate.length > 0) return `${message.id} is signed with a secret whose grace was over`
      // A rotation is known here only when it is answered: its first messages may come before, with the one before as well.
      if (signing.length === 0) return `${message.id} is signed with no secret that was valid then`
      return isSignedByUs(publicKeys, message) ? null : `the public key does not verify ${message.id}`
    },
    signedTwice: () => twice,
  }
}

function isVerified(secret: string, { body, headers }: Received): boolean {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}

function publicKeyOf(text: string): KeyObject {
  const x = Buffer.from(text.slice('whpk_'.length), 'base64').toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}

function isSignedByUs(keys: readonly KeyObject[], { id, headers, body }: Received): boolean {
  const signatures = headers['webhook-signature']!.split(' ').filter((each) => each.startsWith('v1a,'))
  const text = Buffer.from(`${id}.${headers['webhook-timestamp']}.${body}`)
  return signatures.some((each) => keys.some((key) => verify(null, text, key, Buffer.from(each.slice(4), 'base64'))))
}
