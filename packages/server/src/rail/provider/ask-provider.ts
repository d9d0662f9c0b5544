// A question to the bank that has one good answer. Every other answer throws RailUnavailable.
import { BankRefusal, RailUnavailable, UnreadableAnswer } from '../port.ts'
import { type Json, wholeAnswer, wordOrNull } from './json-words.ts'
import type { ProviderClient, ProviderRequest } from './provider-client.ts'
import { isAboutKey, refusalIn } from './refusal-words.ts'

/** The bank read the request and refused it. What it says besides may name the thing that exists already. */
export class Refused extends BankRefusal {
  readonly body: unknown

  constructor(message: string, body: unknown) {
    super(message)
    this.body = body
  }
}

/** The idempotency key was used before: for another request, or too long ago. What was made under it is there. */
export class KeyUsed extends Refused {}

const REFUSALS: ReadonlySet<number> = new Set([400, 403, 404, 409, 422])

export async function ask(client: ProviderClient, request: ProviderRequest): Promise<Json> {
  const reply = await client.call(request)
  if (reply.kind !== 'answered') throw new RailUnavailable(reply.reason)
  if (reply.status < 300) return wholeAnswer(reply.body)
  const refusal = refusalIn(reply.body)
  const words = `The bank answered ${reply.status} (${refusal.code}): ${refusal.message}`
  if (!REFUSALS.has(reply.status) || refusal.code === 'none') throw new RailUnavailable(words, reply)
  throw isAboutKey(refusal) ? new KeyUsed(words, reply.body) : new Refused(words, reply.body)
}

/** Reads one thing by its id. What the bank says of another thing is no answer. */
export async function askFor(client: ProviderClient, path: string, id: string): Promise<Json> {
  const found = await ask(client, { method: 'GET', path })
  if ((wordOrNull(found, 'id') ?? id) === id) return found
  throw new UnreadableAnswer('The bank answered with another thing than it was asked for.')
}

/**
 * Asks the bank to make something, under a key that makes it once. When the bank refuses, because its key is used up or
 * the thing is there, it is looked for instead.
 */
export async function makeOrFind(
  make: () => Promise<Json>,
  find: (refusal: Refused) => Promise<Json | null | undefined>,
): Promise<Json> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const found = await find(error)
    if (found === null || found === undefined) throw error
    return found
  }
}

/**
 * For what the bank would make twice under two keys: it is looked for first. After a refusal the key is another one,
 * because the bank may keep a refusal under its key, and the thing may have been made before.
 */
export async function findOrMake(
  find: () => Promise<Json | null | undefined>,
  make: () => Promise<Json>,
): Promise<Json> {
  return (await find()) ?? makeOrFind(make, find)
}
