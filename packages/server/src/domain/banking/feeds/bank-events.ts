// Webhooks from the bank. A message that is really the bank's is stored once and answered. What it is about is then
// read back from the bank, so a duplicated, reordered or stale message can do no harm.
import type { Environment } from '@kestrel/contract'

import { after } from '../../../core/clock.ts'
import { AppError } from '../../../core/errors.ts'
import { sha256 } from '../../../core/ids.ts'
import { groupBy } from '../../../core/group-by.ts'
import type { EventTopic } from '../../../rail/account.ts'
import { type BankWebhooks, WebhookRefused, WebhookUnreadable } from '../../../rail/port.ts'
import type { ListedTransfer } from '../../../rail/transfer.ts'
import {
  type ClaimedBankEvent,
  claimBankEvents,
  giveBackBankEvents,
  keepUnreadableEvent,
  markHandled,
} from '../../../storage/bank-events.ts'
import type { Deps } from '../../deps.ts'
import { creditNamedDeposit, sweepDeposits } from './credit-deposits.ts'
import { keepMessage, readProven } from './incoming-messages.ts'
import { type Looked, readNamedTransfers } from './named-transfers.ts'
import { readInTime } from './read-in-time.ts'
import { applySeenByTheWay } from './seen-by-the-way.ts'
import { ringOnce } from '../../watch/ring-once.ts'
import { followHolder, followVerification } from '../verification/verification.ts'
import { checkRefunds } from '../refunds/check-refunds.ts'

const LEASE_MS = 5_000
const MOST_AT_ONCE = 500
/** A message may come before its object can be seen, or read. After a day somebody should ask the bank. */
const LONGEST_UNSEEN_MS = 24 * 60 * 60_000

/**
 * Stores a message, or refuses it: 401 for one that is not the bank's, so that the bank tries again, and 422 for one that
 * is the bank's and cannot be stored, which is told of. What that one was about is found in the bank's lists.
 */
export async function receiveBankEvent(
  deps: Deps,
  environment: Environment,
  message: Pick<Parameters<BankWebhooks['read']>[0], 'headers' | 'body'>,
): Promise<void> {
  const now = deps.clock.now()
  const webhooks = deps.banks[environment]?.webhooks ?? null
  try {
    const event =
      webhooks === null
        ? null
        : await readProven(deps, environment, (publicKey) => webhooks.read({ ...message, publicKey, now }))
    if (event === null) throw new AppError('unauthorized', 'No messages are expected here.')
    await keepMessage(deps, environment, { ...event, receivedAt: now })
  } catch (error) {
    if (error instanceof WebhookRefused) throw new AppError('unauthorized', error.message)
    if (!(error instanceof WebhookUnreadable)) throw error
    await tellOfUnreadable(deps, environment, { body: message.body, why: error.message })
    throw new AppError('invalid_request', `The message is signed, and cannot be kept. ${error.message}`)
  }
}

/** Once for each message, however often the bank sends it; one alarm for all of them, with how many there were. */
async function tellOfUnreadable(
  deps: Pick<Deps, 'db' | 'clock' | 'onAlarm'>,
  environment: Environment,
  { body, why }: { body: Buffer; why: string },
): Promise<void> {
  const digest = sha256(body).toString('hex').slice(0, 16)
  await deps.db.inTransaction(async (tx) => {
    if (!(await keepUnreadableEvent(tx, { environment, digest, at: deps.clock.now() }))) return
    ringOnce(deps, tx, { what: 'a message of the bank cannot be read', about: { environment, why } })
  })
}

/** Handles stored messages, of one bank or of all side by side. Returns how many were taken. */
export async function handleBankEvents(
  deps: Deps,
  environments: readonly Environment[] = ['live', 'sandbox'],
): Promise<number> {
  const tried = await Promise.allSettled(environments.map((environment) => handleOf(deps, environment)))
  const failed = tried.find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return tried.reduce((sum, each) => sum + (each.status === 'fulfilled' ? each.value : 0), 0)
}

async function handleOf(deps: Deps, environment: Environment): Promise<number> {
  const claim = { now: deps.clock.now(), leaseMs: LEASE_MS, most: MOST_AT_ONCE }
  const events = await deps.db.inTransaction((tx) => claimBankEvents(tx, environment, claim))
  if (events.length > 0) await handleFor(deps, environment, events)
  return events.length
}

type Tried = PromiseSettledResult<readonly ClaimedBankEvent[]>

async function handleFor(deps: Deps, environment: Environment, events: readonly ClaimedBankEvent[]): Promise<void> {
  const webhooks = deps.banks[environment]?.webhooks ?? null
  const tried: Tried[] = []
  const left: ClaimedBankEvent[] = []
  const seenByTheWay: ListedTransfer[] = []
  // A message that cannot be handled holds up none of the others.
  for (const [category, own] of groupBy(events, (event) => event.category)) {
    // Nobody can say what the messages of a bank that is gone are about. Its lists have all of it, should it come back.
    const topic = webhooks?.topicOf(category) ?? { kind: 'other' }
    const looked = await lookedAt(deps, environment, { topic, seenByTheWay }, own)
    for (const [ref, same] of groupBy(own, (event) => event.objectRef)) {
      const each = looked.get(ref)
      if (each === undefined) left.push(...same)
      else tried.push(triedOf(deps, environment, { category, ref, same }, each))
    }
  }
  const handled = tried.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  await deps.db.inTransaction(async (tx) => {
    markHandled(tx, environment, idsOf(handled), deps.clock.now())
    giveBackBankEvents(tx, environment, idsOf(left))
  })
  // Last of all: nobody who is named in this go waits for it. What fails has its own message, and the sweep.
  await applySeenByTheWay(deps, environment, seenByTheWay).catch(() => undefined)
  const failed = tried.find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

const idsOf = (events: readonly ClaimedBankEvent[]): string[] => events.map((event) => event.eventId)

/** By what the messages of one category name. What the list has shown need not be read again by itself. */
async function lookedAt(
  deps: Deps,
  environment: Environment,
  { topic, seenByTheWay }: { topic: EventTopic; seenByTheWay: ListedTransfer[] },
  events: readonly ClaimedBankEvent[],
): Promise<ReadonlyMap<string, Looked>> {
  if (topic.kind === 'transfer') return readNamedTransfers(deps, environment, { events, seenByTheWay })
  const listed = topic.kind === 'deposit' ? await listedDeposits(deps, environment) : NONE
  const refs = [...new Set(events.map((event) => event.objectRef))]
  const looked = new Map<string, Looked>()
  for (const ref of refs) if (listed.has(ref)) looked.set(ref, { status: 'fulfilled', value: true })
  const left = refs.filter((ref) => !listed.has(ref))
  const read = (ref: string) => isDealtWith(deps, environment, topic, ref)
  for await (const answers of readInTime(deps.clock, left, { read, late: false })) {
    for (const [ref, each] of answers) looked.set(ref, each)
  }
  return looked
}

const NONE: ReadonlySet<string> = new Set()

/** What a look at the bank's lists has settled. A list that cannot be read is reported by the sweep: each is read by its id then. */
async function listedDeposits(deps: Deps, environment: Environment): Promise<ReadonlySet<string>> {
  const seen = new Set<string>()
  await sweepDeposits(deps, environment, { onSeen: (ref) => void seen.add(ref) }).catch(() => undefined)
  return seen
}

/** What messages name, and those that name it. */
interface Named {
  readonly category: string
  readonly ref: string
  readonly same: readonly ClaimedBankEvent[]
}

type OtherTopic = Exclude<EventTopic, { kind: 'transfer' }>

function triedOf(deps: Deps, environment: Environment, named: Named, looked: Looked): Tried {
  const value = settledOf(deps, environment, named, looked)
  return looked.status === 'rejected' && value.length === 0 ? looked : { status: 'fulfilled', value }
}

/** The messages that are settled: all of them, or those that are given up while the bank does not show what it has named. */
function settledOf(
  deps: Deps,
  environment: Environment,
  { category, ref, same }: Named,
  looked: Looked,
): readonly ClaimedBankEvent[] {
  const isSettled = looked.status === 'fulfilled' && looked.value
  if (isSettled) return same
  const limit = after(deps.clock.now(), -LONGEST_UNSEEN_MS)
  const given = same.filter((event) => event.receivedAt < limit)
  if (given.length > 0) {
    const why = looked.status === 'rejected' ? { err: looked.reason as unknown } : {}
    deps.onAlarm('the bank has named something that it does not show', {
      environment,
      category,
      objectRef: ref,
      ...why,
    })
  }
  return given
}

async function isDealtWith(deps: Deps, environment: Environment, topic: OtherTopic, ref: string): Promise<boolean> {
  switch (topic.kind) {
    case 'deposit':
      return creditNamedDeposit(deps, environment, { source: topic.source, depositRef: ref })
    case 'verification':
      await followVerification(deps, ref)
      return true
    case 'holder':
      if (environment === 'live') await followHolder(deps, ref)
      return true
    case 'wallet':
      await checkRefunds(deps, environment)
      return true
    case 'other':
      return true
  }
}
