// New ids, addresses and hashes: the only place that draws random numbers.
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'

const UUID_TEXT = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const SOLANA_ADDRESS_LENGTH = 44

export function newId(): string {
  return randomUUID()
}

export function isUuid(text: string): boolean {
  return UUID_TEXT.test(text)
}

export function newWebhookId(): string {
  return `wep_${randomBytes(12).toString('hex')}`
}

export function newEventId(): string {
  return `wh_${randomBytes(12).toString('hex')}`
}

/** Looks like an address of that chain, and nobody has the key to it. */
export function newAddress(chain: string): string {
  if (chain !== 'solana') return `0x${randomBytes(20).toString('hex')}`
  return Array.from(randomBytes(SOLANA_ADDRESS_LENGTH), (byte) => BASE58[byte % BASE58.length]).join('')
}

export function newTransactionHash(): string {
  return `0x${randomBytes(32).toString('hex')}`
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** A hash that cannot be tried out by somebody who has a copy of the row but not the salt. */
export function keyedHash(salt: Buffer, text: string): Buffer {
  return createHmac('sha256', salt).update(text).digest()
}

/** The developer's own wallet, where what transfers send too much goes, and the id that holds it. */
export const EXCESS_WALLET_ID = '0e8ce550-0000-4000-8000-000000000001'
