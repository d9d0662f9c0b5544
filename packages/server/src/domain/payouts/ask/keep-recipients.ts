// Keeps the ids that the bank gives to new recipients. A first payroll registers hundreds of them within seconds, so those that come
// together are kept by one statement and one flush of the database's log.
import { AppError } from '../../../core/errors.ts'
import { Lanes } from '../../../core/lanes.ts'
import type { Scope } from '../../../core/scope.ts'
import { keepBankRecipients } from '../../../storage/bank-recipients.ts'
import { isServerRefusal, wasKeptWaiting } from '../../../storage/database.ts'
import { SHARED_LOOKUP_PATIENCE_MS } from '../../../storage/silence.ts'
import type { Deps } from '../../deps.ts'
import { nameOf, newestOf } from './known-recipients.ts'

const LARGEST_BATCH = 64
/** The bank's answers come one by one; nobody notices that its own takes so much longer. */
const REST_MS = 3
/** Each has a connection to the database, of which others need some too. */
const MOST_AT_ONCE = 3
const LONGEST_QUEUE = 5_000
const EVERYBODY = 'everybody'

export interface Registered {
  readonly scope: Scope
  /** The recipient under each key that is known, the newest first. */
  readonly fingerprints: readonly Buffer[]
  readonly recipientRef: string
  readonly at: Date
}

const lanes = new WeakMap<Deps['db'], Lanes<Registered, string>>()

/** Of two that registered one at once, both get what was kept: every later ask must send the same bytes. */
export function keepRecipient({ db }: Pick<Deps, 'db'>, registered: Registered): Promise<string> {
  return lanesOf(db).submit(EVERYBODY, registered)
}

function lanesOf(db: Deps['db']): Lanes<Registered, string> {
  const known = lanes.get(db)
  if (known !== undefined) return known
  const made = new Lanes<Registered, string>({
    largestBatch: LARGEST_BATCH,
    restMs: REST_MS,
    longestQueue: LONGEST_QUEUE,
    onFull: () => new AppError('unavailable', 'Too many new recipients wait to be kept.', { retryAfterSeconds: 1 }),
    // One that cannot be kept, or that another process is writing, is nobody else's loss.
    mayRetrySingly: (error) => isServerRefusal(error) || wasKeptWaiting(error),
    patience: { ms: SHARED_LOOKUP_PATIENCE_MS, mostAtOnce: MOST_AT_ONCE },
    run: (_, batch) => keepAll(db, batch),
  })
  lanes.set(db, made)
  return made
}

async function keepAll(db: Deps['db'], batch: readonly Registered[]): Promise<string[]> {
  const fresh = batch.map(({ scope: { partnerId, environment }, fingerprints, recipientRef, at }) => {
    return { partnerId, environment, fingerprint: fingerprints[0]!, recipientRef, createdAt: at }
  })
  const asked = batch.flatMap(({ scope, fingerprints }) =>
    fingerprints.map((fingerprint) => ({ ...scope, fingerprint })),
  )
  const kept = await keepBankRecipients(db, fresh, asked)
  const found = new Map(kept.map((each) => [nameOf(each, each.fingerprint), each]))
  return batch.map(({ scope, fingerprints, recipientRef }) => {
    const own = fingerprints.flatMap((fingerprint) => found.get(nameOf(scope, fingerprint)) ?? [])
    return newestOf(own) ?? recipientRef
  })
}
