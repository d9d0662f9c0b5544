// The idempotency key of a payment. A person who did not name one gets a random one, and it is on disk before anything is
// sent: whoever repeats the command after a crash pays with the same key.
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'

import type { CreatePayoutRequest } from '@kestrel/sdk'

import type { Context } from './command.ts'
import { folderOf, makePrivately, readIfThere, removeFile } from './private-files.ts'
import type { Settings } from './settings.ts'

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
  const path = join(folderOf(context.around), 'unfinished', `${nameOf(context, settings, body)}.json`)
  // With the key that this program had made: then the answer ends it too.
  const forget = (key: string) => () => {
    if (keyIn(path) === key) removeFile(path)
  }
  if (own !== undefined) return { key: own, isMade: false, isRepeat: false, forget: forget(own) }
  const made = `cli-${randomUUID()}`
  for (;;) {
    // Two at once: the second finds the file of the first, and both ask with one key.
    const isNew = makePrivately(path, `${JSON.stringify({ idempotency_key: made })}\n`)
    const key = isNew ? made : keyIn(path)
    // Between the two looks the other may have ended, and taken its file away.
    if (key !== null) return { key, isMade: true, isRepeat: !isNew, forget: forget(key) }
  }
}

function keyIn(path: string): string | null {
  const text = readIfThere(path)
  return text === null ? null : (JSON.parse(text) as { idempotency_key: string }).idempotency_key
}

/** The same for the same payment. It tells nobody who is paid: the hash has a secret of this machine. */
function nameOf({ around }: Context, { url, environment }: Settings, body: CreatePayoutRequest): string {
  const path = join(folderOf(around), 'unfinished', 'secret')
  makePrivately(path, randomBytes(32).toString('hex'))
  const text = JSON.stringify([url, environment, body])
  return createHmac('sha256', readIfThere(path)!).update(text).digest('hex').slice(0, 32)
}
