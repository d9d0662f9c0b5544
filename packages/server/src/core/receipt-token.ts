// What a receipt's link says and proves: the payout, its amount and its moment, signed. Anybody can verify it with the public keys;
// it names neither the business nor the recipient.
import type { Environment } from '@kestrel/contract'

import { type Ed25519Key, signText } from './ed25519.ts'
import type { Pence } from './money.ts'

export interface ReceiptClaim {
  readonly environment: Environment
  readonly payoutId: string
  readonly amount: Pence
  readonly createdAt: Date
}

export interface ReceiptToken {
  readonly keyId: string
  readonly claim: ReceiptClaim
  readonly signature: Buffer
  /** What the signature is of. */
  readonly signed: Buffer
}

// Version and key; environment, payout, amount in pence and milliseconds since 1970; signature.
const VERSION = 1
const KEY_ID_BYTES = 4
const CLAIM_BYTES = 1 + 16 + 8 + 8
const SIGNATURE_BYTES = 64
/** A multiple of three, so that each token has one spelling in Base64. */
const TOKEN_BYTES = 1 + KEY_ID_BYTES + CLAIM_BYTES + SIGNATURE_BYTES
const PREFIX = Buffer.from('kestrel receipt v1\n')
const ENVIRONMENTS: readonly Environment[] = ['sandbox', 'live']
/** Of its eight bytes the first two are zero until the year 10889. */
const TIME_AT = 27
const TIME_BYTES = 6

export function receiptToken(key: Ed25519Key, { environment, payoutId, amount, createdAt }: ReceiptClaim): string {
  const claim = Buffer.alloc(CLAIM_BYTES)
  claim.writeUInt8(ENVIRONMENTS.indexOf(environment), 0)
  claim.write(payoutId.replaceAll('-', ''), 1, 'hex')
  claim.writeBigUInt64BE(amount, 17)
  claim.writeUIntBE(createdAt.getTime(), TIME_AT, TIME_BYTES)
  const start = Buffer.concat([Buffer.of(VERSION), Buffer.from(key.id, 'hex')])
  return Buffer.concat([start, claim, signText(key, Buffer.concat([PREFIX, claim]))]).toString('base64url')
}

/** Null for what is no token at all. Whether it is signed is the caller's to ask, before anything else. */
export function readReceiptToken(text: string): ReceiptToken | null {
  if (text.length !== (TOKEN_BYTES / 3) * 4 || !/^[\w-]+$/.test(text)) return null
  const bytes = Buffer.from(text, 'base64url')
  if (bytes[0] !== VERSION) return null
  const keyId = bytes.subarray(1, 1 + KEY_ID_BYTES).toString('hex')
  const claim = bytes.subarray(1 + KEY_ID_BYTES, 1 + KEY_ID_BYTES + CLAIM_BYTES)
  const environment = ENVIRONMENTS[claim.readUInt8(0)]
  if (environment === undefined) return null
  const hex = claim.subarray(1, 17).toString('hex')
  return {
    keyId,
    claim: {
      environment,
      payoutId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
      amount: claim.readBigUInt64BE(17) as Pence,
      createdAt: new Date(claim.readUIntBE(TIME_AT, TIME_BYTES)),
    },
    signature: bytes.subarray(-SIGNATURE_BYTES),
    signed: Buffer.concat([PREFIX, claim]),
  }
}
