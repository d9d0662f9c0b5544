// A question to the bank that has one good answer. Every other answer throws RailUnavailable.
import { RailUnavailable } from '../port.ts'
import { type Json, errorWords, wholeAnswer } from './json-words.ts'
import type { ProviderClient, ProviderRequest } from './provider-client.ts'

/** The bank refused because the thing exists already, or because its idempotency key was used before. */
export class AlreadyThere extends RailUnavailable {}

export async function ask(client: ProviderClient, request: ProviderRequest): Promise<Json> {
  const reply = await client.call(request)
  if (reply.kind !== 'answered') throw new RailUnavailable(reply.reason)
  if (reply.status < 300) return wholeAnswer(reply.body)
  const { code, message } = errorWords(reply.body)
  const words = `The bank answered ${reply.status} (${code}): ${message}`
  const isThere = [400, 409, 422].includes(reply.status) && /idempotency|duplicate/.test(code)
  throw isThere ? new AlreadyThere(words) : new RailUnavailable(words, reply)
}

/**
 * Asks the bank to make something, under a key that makes it once. The bank forgets keys after a day; when a key is
 * used up, what was made under it is looked for instead.
 */
export async function makeOrFind(
  make: () => Promise<Json>,
  find: () => Promise<Json | null | undefined>,
): Promise<Json> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof AlreadyThere)) throw error
    const found = await find()
    if (found === null || found === undefined) throw error
    return found
  }
}
