// A question to the bank that has one good answer. Every other answer throws RailUnavailable.
import { randomHex } from '../../core/ids.ts'
import { RailUnavailable } from '../port.ts'
import { type Json, wholeAnswer } from './json-words.ts'
import type { ProviderClient, ProviderRequest } from './provider-client.ts'
import { isAboutKey, isDuplicate, refusalIn } from './refusal-words.ts'

/** The bank refused because the thing exists already, or because its idempotency key was used before. */
export class AlreadyThere extends RailUnavailable {}

/** The bank has read the request and refused it. It may have kept that answer under its key, and would give it again. */
export class Refused extends RailUnavailable {}

export async function ask(client: ProviderClient, request: ProviderRequest): Promise<Json> {
  const reply = await client.call(request)
  if (reply.kind !== 'answered') throw new RailUnavailable(reply.reason)
  if (reply.status < 300) return wholeAnswer(reply.body)
  const refusal = refusalIn(reply.body)
  const words = `The bank answered ${reply.status} (${refusal.code}): ${refusal.message}`
  const isRefused = [400, 403, 404, 409, 422].includes(reply.status) && refusal.code !== 'none'
  if (isRefused && (isDuplicate(refusal) || isAboutKey(refusal))) throw new AlreadyThere(words)
  throw isRefused ? new Refused(words) : new RailUnavailable(words, reply)
}

/**
 * Asks the bank to make something, under a key that makes it once. The bank forgets keys after a day; when a key is
 * used up, what was made under it is looked for instead. What was refused once may be granted by now, and its key would
 * give that refusal again: it is asked for under a new key, when the bank does not have it.
 */
export async function makeOrFind(
  key: string,
  make: (idempotencyKey: string) => Promise<Json>,
  find: () => Promise<Json | null | undefined>,
): Promise<Json> {
  try {
    return await make(key)
  } catch (error) {
    if (!(error instanceof AlreadyThere || error instanceof Refused)) throw error
    const found = await find()
    if (found !== null && found !== undefined) return found
    if (error instanceof AlreadyThere) throw error
    return make(`${key}:${randomHex(8)}`)
  }
}
