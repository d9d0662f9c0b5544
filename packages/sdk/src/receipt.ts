// Whether a receipt's link is signed: needs no service, only the link and the keys. WebCrypto only. The token has 118 bytes: version
// and key; environment, partner, payout, amount in pence and milliseconds since 1970, which are signed; and the signature.
import { bytesIn, hexOf } from './bytes.ts'
import { type SigningKeys, isSigned } from './is-signed.ts'

export type ReceiptVerdict =
  | {
      readonly isSigned: true
      readonly key_id: string
      readonly environment: 'sandbox' | 'live'
      readonly payout_id: string
      readonly amount_gbp: string
      readonly created_at: string
    }
  | { readonly isSigned: false }

/** The last part of an address, or alone. Of its last letter two bits are used: it has one spelling. */
const TOKEN = /^(?:[^?#]*\/)?([\w-]{157}[AQgw])\/?(?:[?#].*)?$/
const CLAIM_AT = 5
const SIGNATURE_AT = 54
const PREFIX = new TextEncoder().encode('kestrel receipt v1\n')

/**
 * Takes the link on a receipt, or its last part. What it says was signed by the service at any time; what has become of the payout
 * since is told by the page behind the link. Look at `environment`: a receipt of the sandbox is signed too, and nobody was paid. At
 * which host a link leads is not looked at.
 */
export async function verifyReceipt(link: string, { keys }: { readonly keys: SigningKeys }): Promise<ReceiptVerdict> {
  const token = TOKEN.exec(link.trim())?.[1]
  if (token === undefined) return { isSigned: false }
  const bytes = bytesIn(token.replace(/-/g, '+').replace(/_/g, '/'))
  const key_id = hexOf(bytes.subarray(1, CLAIM_AT))
  const claim = bytes.subarray(CLAIM_AT, SIGNATURE_AT)
  const key = keys.find(({ id }) => id === key_id)
  const signed = Uint8Array.from([...PREFIX, ...claim])
  const isOurs = key !== undefined && (await isSigned(key.public_key, bytes.slice(SIGNATURE_AT), signed))
  return bytes[0] === 1 && isOurs ? { isSigned: true, key_id, ...whatItSays(claim) } : { isSigned: false }
}

function whatItSays(claim: Uint8Array) {
  const view = new DataView(claim.buffer, claim.byteOffset, claim.byteLength)
  const pence = view.getBigUint64(33).toString().padStart(3, '0')
  return {
    environment: claim[0] === 1 ? ('live' as const) : ('sandbox' as const),
    payout_id: hexOf(claim.subarray(17, 33)).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    amount_gbp: `${pence.slice(0, -2)}.${pence.slice(-2)}`,
    created_at: new Date(Number(view.getBigUint64(41))).toISOString(),
  }
}
