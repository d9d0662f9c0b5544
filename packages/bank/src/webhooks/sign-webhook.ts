// The real bank's signature: RSA with PKCS#1 v1.5 and SHA-256, over the SHA-256 digest of `<t>.<body>`. So the hash is
// taken twice: its documentation says so, and its published example proves it.
import { type KeyObject, createHash, createPrivateKey, sign } from 'node:crypto'

export function signWebhook(input: { privateKey: string; at: Date; body: string }): string {
  const t = input.at.getTime()
  const digest = createHash('sha256').update(`${t}.${input.body}`).digest()
  return `t=${t},v0=${sign('sha256', digest, keyFrom(input.privateKey)).toString('base64')}`
}

/** A bank has a few webhooks, and reading a key costs more than a message is worth. */
const read = new Map<string, KeyObject>()

function keyFrom(pem: string): KeyObject {
  const key = read.get(pem) ?? createPrivateKey(pem)
  read.set(pem, key)
  return key
}
