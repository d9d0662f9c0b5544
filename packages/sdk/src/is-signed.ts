// Ed25519 by WebCrypto, with a key of the service.
import { bytesIn } from './bytes.ts'

/** The keys of the service, from `/.well-known/kestrel-signing-keys`: best, a copy that you have kept. */
export type SigningKeys = readonly { readonly id: string; readonly public_key: string }[]

export async function isSigned(
  publicKey: string,
  /** Its bytes, or them in Base64. */
  signature: Uint8Array<ArrayBuffer> | string,
  text: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  try {
    const raw = bytesIn(publicKey.replace(/^kspk_/, ''))
    const key = await crypto.subtle.importKey('raw', raw, { name: 'Ed25519' }, false, ['verify'])
    const given = typeof signature === 'string' ? bytesIn(signature) : signature
    return await crypto.subtle.verify({ name: 'Ed25519' }, key, given, text)
  } catch {
    return false
  }
}
