// The bank's messages as they come in: a busy bank sends three per payout. They share the look-up of the key that proves them, and those
// that arrive together are kept by one statement and one flush of the database's log.
import type { Environment } from '@kestrel/contract'

import { monotonicMs } from '../../../core/clock.ts'
import { AppError } from '../../../core/errors.ts'
import { Lanes } from '../../../core/lanes.ts'
import { ReadsTogether } from '../../../core/reads-together.ts'
import { WebhookRefused } from '../../../rail/port.ts'
import {
  type BankWebhookRow,
  type NewBankEvent,
  findBankWebhook,
  keepBankEvents,
} from '../../../storage/bank-events.ts'
import { isServerRefusal, wasKeptWaiting } from '../../../storage/database.ts'
import { SHARED_LOOKUP_PATIENCE_MS } from '../../../storage/silence.ts'
import type { Deps } from '../../deps.ts'

const LARGEST_BATCH = 200
/** The worker looks for messages every 200 ms: nothing is heard later for it. */
const REST_MS = 20
/** Each has a connection to the database, of which others need some too. */
const MOST_AT_ONCE = 3
/** The bank sends again what is refused for now. */
const LONGEST_QUEUE = 5_000
/** For so long a key goes on proving messages that is not in the database any more. A new one does at once. */
const KEY_KEPT_MS = 1_000

type Db = Deps['db']

interface Incoming {
  readonly webhooks: ReadsTogether<BankWebhookRow>
  readonly keys: Map<Environment, { readonly publicKey: string; readonly keptUntil: number }>
  readonly messages: Lanes<NewBankEvent, void>
}

const incomingOf = new WeakMap<Db, Incoming>()

/** What `read` makes of a message with the key that proves it; null: none are expected here. It throws WebhookRefused for any other key. */
export async function readProven<T>(
  { db }: Pick<Deps, 'db'>,
  environment: Environment,
  read: (publicKey: string) => T,
): Promise<T | null> {
  const { webhooks, keys } = incomingTo(db)
  const known = keys.get(environment)
  const isKept = known !== undefined && monotonicMs() < known.keptUntil
  let refused: unknown
  if (isKept) {
    try {
      return read(known.publicKey)
    } catch (error) {
      if (!(error instanceof WebhookRefused)) throw error
      refused = error
    }
  }
  const keptUntil = monotonicMs() + KEY_KEPT_MS
  const webhook = await webhooks.read(environment)
  if (webhook === null) return null
  const { publicKey } = webhook
  keys.set(environment, { publicKey, keptUntil })
  // Judging it costs more than anything else that is done for a message.
  if (isKept && publicKey === known.publicKey) throw refused
  return read(publicKey)
}

/** Resolves once the message is in the database. */
export function keepMessage({ db }: Pick<Deps, 'db'>, environment: Environment, message: NewBankEvent): Promise<void> {
  return incomingTo(db).messages.submit(environment, message)
}

function incomingTo(db: Db): Incoming {
  const known = incomingOf.get(db)
  if (known !== undefined) return known
  const made: Incoming = { webhooks: readerOf(db), keys: new Map(), messages: lanesOf(db) }
  incomingOf.set(db, made)
  return made
}

function readerOf(db: Db): ReadsTogether<BankWebhookRow> {
  const readAll = async (environments: readonly string[]) => {
    const found = environments.map(async (environment) => {
      return [environment, await findBankWebhook(db.lookup, environment as Environment)] as const
    })
    return new Map((await Promise.all(found)).filter((each): each is [string, BankWebhookRow] => each[1] !== null))
  }
  return new ReadsTogether<BankWebhookRow>(readAll, { most: 2, patienceMs: SHARED_LOOKUP_PATIENCE_MS })
}

function lanesOf(db: Db): Lanes<NewBankEvent, void> {
  return new Lanes<NewBankEvent, void>({
    largestBatch: LARGEST_BATCH,
    restMs: REST_MS,
    longestQueue: LONGEST_QUEUE,
    onFull: () =>
      new AppError('unavailable', 'Too many messages of the bank wait to be kept. This one was not. Send it again.', {
        retryAfterSeconds: 1,
      }),
    // One that cannot be kept, or that another process is writing, is nobody else's loss.
    mayRetrySingly: (error) => isServerRefusal(error) || wasKeptWaiting(error),
    patience: { ms: SHARED_LOOKUP_PATIENCE_MS, mostAtOnce: MOST_AT_ONCE },
    run: async (environment, messages) => {
      await db.inTransaction(async (tx) => keepBankEvents(tx, environment as Environment, messages))
      return messages.map(() => undefined)
    },
  })
}
