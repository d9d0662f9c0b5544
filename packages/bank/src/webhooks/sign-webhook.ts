// The real bank's signature: RSA with PKCS#1 v1.5 and SHA-256, over the SHA-256 digest of `<t>.<body>`. So the hash is
// taken twice: its documentation says so, and its published example proves it.
import { type KeyObject, createHash, sign } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'

import { atMost } from '../core/at-most.ts'

/**
 * A signature takes milliseconds of a core, so it is made beside the thread that answers requests. One core at least is left
 * to that thread, and Node makes four at once in any case.
 */
const SIGNED_AT_ONCE = Math.max(1, Math.min(4, availableParallelism() - 1))

const signBeside = promisify(sign)
const inTurn = atMost(SIGNED_AT_ONCE)

export async function signWebhook(input: { privateKey: KeyObject; at: Date; body: string }): Promise<string> {
  const t = input.at.getTime()
  const digest = createHash('sha256').update(`${t}.${input.body}`).digest()
  const signature = await inTurn(() => signBeside('sha256', digest, input.privateKey))
  return `t=${t},v0=${signature.toString('base64')}`
}
