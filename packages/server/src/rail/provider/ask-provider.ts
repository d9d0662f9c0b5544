// A question to the partner that has one good answer; everything else is "not now".
import { RailUnavailable } from '../rail.ts'
import { type Json, errorWords, wholeAnswer } from './json-words.ts'
import type { ProviderClient, ProviderRequest } from './provider-client.ts'

/** The bank refused because what is asked for exists already, or its key was used before. */
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
 * Asks for something to be made, under a key that makes it once. The partner forgets keys after a day, so when the
 * key has been used up what was made then is looked for.
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
