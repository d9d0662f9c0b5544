// The idempotency key of a payment. A person who did not name one gets a random one, and it is on disk before anything is
// sent: whoever repeats the command after a crash pays with the same key.
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'

import type { CreatePayoutRequest } from '@kestrel/sdk'

import type { Context } from './command.ts'
import { type Failure, misuse } from './failure.ts'
import { folderOf, makePrivately, readIfThere, readKept, removeFile } from './private-files.ts'
import { type Settings, addressOf } from './settings.ts'

export interface PaymentKey {
  readonly key: string
  /** Not the caller's own. */
  readonly isMade: boolean
  /** There was one for the same payment whose end nobody has seen. */
  readonly isRepeat: boolean
  /** To be called when somebody has seen that it was made. */
  forget(): void
}

export function keyForPayment(context: Context, settings: Settings, body: CreatePayoutRequest): PaymentKey {
  const own = context.option('idempotency-key')
  if (own !== undefined) {
    return { key: own, isMade: false, isRepeat: false, forget: () => forgetMade(context, settings, body, own) }
  }
  const secretPath = pathOf(context, 'secret')
  makePrivately(secretPath, randomBytes(32).toString('hex'))
  const hash = hasherWith(readIfThere(secretPath)!)
  const path = pathOf(context, nameOf(hash, settings, body))
  const forget = (key: string) => () => removeIfOf(path, key)
  const made: Begun = { idempotency_key: `cli-${randomUUID()}`, by: hash(settings.key) }
  for (;;) {
    // Two at once: the second finds the file of the first, and both ask with one key.
    const isNew = makePrivately(path, `${JSON.stringify(made)}\n`)
    const begun = isNew ? made : begunIn(path)
    // Between the two looks the other may have ended, and taken its file away.
    if (begun === null) continue
    const { idempotency_key: key, by } = begun
    if (by !== made.by) throw begunByAnother(key)
    return { key, isMade: true, isRepeat: !isNew, forget: forget(key) }
  }
}

/**
 * Whether the other API key is one of the same account, only the person knows. Used in another account, the idempotency key would
 * pay there, and be forgotten here while the first payment is still in doubt.
 */
function begunByAnother(key: string): Failure {
  return misuse(
    `The same payment was begun with another API key, and its end is not known. Its idempotency key is ${key}.`,
    `For the same account, repeat it: --idempotency-key ${key}. For another account, name a key of your own.`,
  )
}

interface Begun {
  readonly idempotency_key: string
  /** The API key that began it, as a hash. */
  readonly by: string
}

function begunIn(path: string): Begun | null {
  return readKept(path, isBegun, IN_DOUBT)
}

const IN_DOUBT =
  'The same payment was begun, and its end is not known. Nothing was sent. See whether it was made (kestrel-pay payouts list), and remove the file only then.'

function isBegun(kept: object): kept is Begun {
  const { idempotency_key: key, by } = kept as Partial<Begun>
  return typeof key === 'string' && typeof by === 'string'
}

/** It may be the key that this program had made: then the answer ends that too. No file is needed for a key of one's own. */
function forgetMade(context: Context, settings: Settings, body: CreatePayoutRequest, key: string): void {
  try {
    const secret = readIfThere(pathOf(context, 'secret'))
    if (secret !== null) removeIfOf(pathOf(context, nameOf(hasherWith(secret), settings, body)), key)
  } catch {
    // What is left there asks with the same key, and pays nothing more.
  }
}

function removeIfOf(path: string, key: string): void {
  if (begunIn(path)?.idempotency_key === key) removeFile(path)
}

/** The same for the same payment. It tells nobody who is paid: the hash has a secret of this machine. */
function nameOf(hash: Hash, { url, environment }: Settings, body: CreatePayoutRequest): string {
  return `${hash(JSON.stringify([addressOf(url), environment, body]))}.json`
}

function pathOf({ around }: Context, name: string): string {
  return join(folderOf(around), 'unfinished', name)
}

type Hash = (text: string) => string

function hasherWith(secret: string): Hash {
  return (text) => createHmac('sha256', secret).update(text).digest('hex').slice(0, 32)
}
