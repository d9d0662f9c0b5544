// Webhooks from the bank. A message that is really the bank's is stored once and answered. What it is about is then
// read back from the bank, so a duplicated, reordered or stale message can do no harm.
import type { Environment } from '@kestrel/contract'

import { after } from '../../../core/clock.ts'
import { AppError } from '../../../core/errors.ts'
import { sha256 } from '../../../core/ids.ts'
import { groupBy } from '../../../core/group-by.ts'
import type { EventTopic } from '../../../rail/account.ts'
import { type BankWebhooks, UnreadableAnswer, WebhookRefused, WebhookUnreadable } from '../../../rail/port.ts'
import { railOfBank } from '../../../rail/which-rail.ts'
import {
  type ClaimedBankEvent,
  claimBankEvents,
  findBankWebhook,
  keepBankEvent,
  keepUnreadableEvent,
  markHandled,
} from '../../../storage/bank-events.ts'
import type { Deps } from '../../deps.ts'
import { applyTransfers } from './apply-transfers.ts'
import { creditNamedDeposit, sweepDeposits } from './credit-deposits.ts'
import { cannotBeRead, sweepTransfers } from './sweep-transfers.ts'
import { keepUnsettled } from './unsettled-rows.ts'
import { ringOnce } from '../../watch/ring-once.ts'
import { followHolder, followVerification } from '../verification/verification.ts'
import { checkRefunds } from '../refunds/check-refunds.ts'

const LEASE_MS = 5_000
const MOST_AT_ONCE = 500
const FEWEST_TO_LIST = 5
const MOST_READ_AT_ONCE = 8
/** A message may come before its object can be seen. After a day somebody should ask the bank. */
const LONGEST_UNSEEN_MS = 24 * 60 * 60_000
/** How far back the list is read for a transfer that could not be read by its id. */
const LOOK_BACK_MS = 60 * 60_000

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
  const registered = webhooks === null ? null : await findBankWebhook(deps.db.lookup, environment)
  if (webhooks === null || registered === null) throw new AppError('unauthorized', 'No messages are expected here.')
  try {
    const event = webhooks.read({ ...message, publicKey: registered.publicKey, now })
    await deps.db.inTransaction(async (tx) => keepBankEvent(tx, { ...event, environment, at: now }))
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
  // A message that cannot be handled holds up none of the others.
  for (const [category, own] of groupBy(events, (event) => event.category)) {
    // Nobody can say what the messages of a bank that is gone are about. Its lists have all of it, should it come back.
    const topic = webhooks?.topicOf(category) ?? { kind: 'other' }
    tried.push(...(await handleCategory(deps, environment, { category, topic }, own)))
  }
  const handled = tried.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  const ids = handled.map((event) => event.eventId)
  await deps.db.inTransaction(async (tx) => markHandled(tx, environment, ids, deps.clock.now()))
  const failed = tried.find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** Messages about one object are handled together. What the list has shown need not be read again by itself. */
async function handleCategory(
  deps: Deps,
  environment: Environment,
  about: { category: string; topic: EventTopic },
  events: readonly ClaimedBankEvent[],
): Promise<Tried[]> {
  const groups = [...groupBy(events, (event) => event.objectRef)]
  const listed = await readList(deps, environment, about.topic, groups.length)
  const tried: Tried[] = groups.flatMap(([ref, same]) =>
    listed.has(ref) ? [{ status: 'fulfilled', value: same }] : [],
  )
  const named = groups.filter(([ref]) => !listed.has(ref))
  for (let index = 0; index < named.length; index += MOST_READ_AT_ONCE) {
    const some = named.slice(index, index + MOST_READ_AT_ONCE)
    const read = some.map(([ref, same]) => handleOne(deps, environment, { ...about, ref, same }))
    tried.push(...(await Promise.allSettled(read)))
  }
  return tried
}

/** What a look at the bank's list has settled. Many transfers are cheaper to list: a page has a hundred. */
async function readList(
  deps: Deps,
  environment: Environment,
  { kind }: EventTopic,
  count: number,
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>()
  const onSeen = (ref: string) => void seen.add(ref)
  const isManyTransfers = kind === 'transfer' && count >= FEWEST_TO_LIST
  // A list that cannot be read is reported by the sweep. What is named here is still read by its id.
  if (kind === 'deposit') await sweepDeposits(deps, environment, { onSeen }).catch(() => undefined)
  if (isManyTransfers) await sweepTransfers(deps, environment, { onSeen }).catch(() => undefined)
  return seen
}

/** Returns the messages that are settled: all of them, or none while the bank does not show what it has named. */
async function handleOne(
  deps: Deps,
  environment: Environment,
  about: { category: string; topic: EventTopic; ref: string; same: readonly ClaimedBankEvent[] },
): Promise<readonly ClaimedBankEvent[]> {
  const { category, topic, ref, same } = about
  if (await isDealtWith(deps, environment, topic, ref)) return same
  const limit = after(deps.clock.now(), -LONGEST_UNSEEN_MS)
  const given = same.filter((event) => event.receivedAt < limit)
  if (given.length > 0) {
    deps.onAlarm('the bank has named something that it does not show', { environment, category, objectRef: ref })
  }
  return given
}

async function isDealtWith(deps: Deps, environment: Environment, topic: EventTopic, ref: string): Promise<boolean> {
  switch (topic.kind) {
    case 'transfer':
      return isTransferDealtWith(deps, environment, ref)
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

async function isTransferDealtWith(deps: Deps, environment: Environment, ref: string): Promise<boolean> {
  const transfer = await railOfBank(deps, environment).readListed(ref).catch(unreadable)
  // What the operator added to a transfer is a transfer to the bank, and no payment: there is nothing to do about it.
  if (transfer === null) return (await deps.banks[environment]?.excess?.isAddition(ref)) ?? false
  if (transfer instanceof UnreadableAnswer) {
    const row = { transferRef: ref, clientReference: null, why: transfer.message }
    const list = { environment, feed: 'transfers', since: after(deps.clock.now(), -LOOK_BACK_MS) } as const
    await keepUnsettled(deps, list, [cannotBeRead(environment)(row)])
    return true
  }
  const since = after(transfer.updatedAt, -1)
  const unsettled = await applyTransfers(deps, environment, [transfer])
  await keepUnsettled(deps, { environment, feed: 'transfers', since }, unsettled)
  return true
}

function unreadable(error: unknown): UnreadableAnswer {
  if (error instanceof UnreadableAnswer) return error
  throw error
}
