// What a receipt's link says and proves: a payout, its amount and its moment, signed. Anybody can verify it with the public keys; it
// has ids, and names neither the business nor the recipient.
import type { Environment } from '@kestrel/contract'

import { type Ed25519Key, signText } from './ed25519.ts'
import { uuidOf } from './ids.ts'
import type { Pence } from './money.ts'

export interface ReceiptClaim {
  readonly environment: Environment
  readonly partnerId: string
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

// Version and key; environment, partner, payout, amount in pence and milliseconds since 1970; signature.
const VERSION = 1
const CLAIM_AT = 1 + 4
const [PARTNER_AT, PAYOUT_AT, AMOUNT_AT, CREATED_AT, CLAIM_BYTES] = [1, 17, 33, 41, 49]
const TOKEN_BYTES = CLAIM_AT + CLAIM_BYTES + 64
const PREFIX = Buffer.from('kestrel receipt v1\n')
const ENVIRONMENTS: readonly Environment[] = ['sandbox', 'live']
/** Of its eight bytes the first two are zero until the year 10889. */
const TIME_BYTES = 6
const TIME_AT = CREATED_AT + 8 - TIME_BYTES

export function receiptToken(key: Ed25519Key, claim: ReceiptClaim): string {
  const bytes = Buffer.alloc(CLAIM_BYTES)
  bytes.writeUInt8(ENVIRONMENTS.indexOf(claim.environment), 0)
  bytes.write(claim.partnerId.replaceAll('-', ''), PARTNER_AT, 'hex')
  bytes.write(claim.payoutId.replaceAll('-', ''), PAYOUT_AT, 'hex')
  bytes.writeBigUInt64BE(claim.amount, AMOUNT_AT)
  bytes.writeUIntBE(claim.createdAt.getTime(), TIME_AT, TIME_BYTES)
  const start = Buffer.concat([Buffer.of(VERSION), Buffer.from(key.id, 'hex')])
  return Buffer.concat([start, bytes, signText(key, Buffer.concat([PREFIX, bytes]))]).toString('base64url')
}

/** Null for what is no token at all. Whether it is signed is the caller's to ask, before anything else. */
export function readReceiptToken(text: string): ReceiptToken | null {
  const bytes = Buffer.from(text, 'base64url')
  // A token has one spelling.
  if (bytes.length !== TOKEN_BYTES || bytes.toString('base64url') !== text || bytes[0] !== VERSION) return null
  const claim = bytes.subarray(CLAIM_AT, CLAIM_AT + CLAIM_BYTES)
  const environment = ENVIRONMENTS[claim.readUInt8(0)]
  if (environment === undefined) return null
  return {
    keyId: bytes.subarray(1, CLAIM_AT).toString('hex'),
    claim: {
      environment,
      partnerId: uuidOf(claim.subarray(PARTNER_AT, PAYOUT_AT)),
      payoutId: uuidOf(claim.subarray(PAYOUT_AT, AMOUNT_AT)),
      amount: claim.readBigUInt64BE(AMOUNT_AT) as Pence,
      createdAt: new Date(claim.readUIntBE(TIME_AT, TIME_BYTES)),
    },
    signature: bytes.subarray(CLAIM_AT + CLAIM_BYTES),
    signed: Buffer.concat([PREFIX, claim]),
  }
}
