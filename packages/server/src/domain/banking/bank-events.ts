// What the bank sends us. A message that is really the bank's is kept, once, and answered; what it is about is then
// read back from the bank, so a duplicated, reordered or stale message can do no harm.
import type { Environment } from '@kestrel/contract'

import { after } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import { groupBy } from '../../core/group-by.ts'
import { WebhookRefused } from '../../rail/partner-bank.ts'
import {
  type BankEventRow,
  claimBankEvents,
  findBankWebhook,
  keepBankEvent,
  markHandled,
} from '../../storage/bank-events.ts'
import type { Deps } from '../deps.ts'
import { applyTransfers, providerRail } from './apply-transfers.ts'
import { sweepDeposits } from './credit-deposits.ts'
import { sweepTransfers } from './sweep-transfers.ts'
import { followVerification } from './verification.ts'

const LEASE_MS = 5_000
const MOST_AT_ONCE = 500
const FEWEST_TO_LIST = 5

/** Keeps a message, or refuses it: 401 for one that is not the bank's, so that the bank tries again. */
export async function receiveBankEvent(
  deps: Deps,
  environment: Environment,
  message: { signature: string | undefined; body: Buffer },
): Promise<void> {
  const now = deps.clock.now()
  const bank = deps.banks[environment]
  const webhook = bank === null ? null : await findBankWebhook(deps.db.lookup, environment)
  if (bank === null || webhook === null) throw new AppError('unauthorized', 'No messages are expected here.')
  try {
    const event = bank.readWebhook({ ...message, publicKey: webhook.publicKey, now })
    await deps.db.inTransaction(async (tx) => keepBankEvent(tx, { ...event, environment, at: now }))
  } catch (error) {
    if (error instanceof WebhookRefused) throw new AppError('unauthorized', error.message)
    throw error
  }
}

/** Handles what has been kept; how many events were taken. */
export async function handleBankEvents(deps: Deps): Promise<number> {
  const now = deps.clock.now()
  const claim = { now, leaseUntil: after(now, LEASE_MS), most: MOST_AT_ONCE }
  const events = await deps.db.inTransaction((tx) => claimBankEvents(tx, claim))
  const failures: unknown[] = []
  for (const [environment, own] of groupBy(events, (event) => event.environment)) {
    await handleFor(deps, environment, own).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
  return events.length
}

async function handleFor(deps: Deps, environment: Environment, events: readonly BankEventRow[]): Promise<void> {
  const tried: PromiseSettledResult<readonly BankEventRow[]>[] = []
  // One that cannot be handled keeps none of the others waiting.
  for (const [category, own] of groupBy(events, (event) => event.category)) {
    const [covered] = await Promise.allSettled([isCoveredByList(deps, environment, category, own)])
    if (covered.status === 'rejected') tried.push(covered)
    else if (covered.value) tried.push({ status: 'fulfilled', value: own })
    else tried.push(...(await handleEach(deps, environment, category, own)))
  }
  const handled = tried.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  const ids = handled.map((event) => event.eventId)
  await deps.db.inTransaction(async (tx) => markHandled(tx, environment, ids, deps.clock.now()))
  const failed = tried.find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** What is about one thing is handled together. */
function handleEach(deps: Deps, environment: Environment, category: string, events: readonly BankEventRow[]) {
  return Promise.allSettled(
    [...groupBy(events, (event) => event.objectRef)].map(async ([ref, same]) => {
      await handleOne(deps, environment, category, ref)
      return same
    }),
  )
}

/**
 * Deposits are only listed. Many transfers at once are cheaper to list too: a page has a hundred, and whatever the bank
 * has told us of is on it.
 */
async function isCoveredByList(
  deps: Deps,
  environment: Environment,
  category: string,
  events: readonly BankEventRow[],
): Promise<boolean> {
  if (category === 'virtual_account.activity' || category === 'liquidation_address.drain') {
    await sweepDeposits(deps, environment)
    return true
  }
  if (category !== 'transfer' || new Set(events.map((event) => event.objectRef)).size < FEWEST_TO_LIST) return false
  return (await sweepTransfers(deps, environment)) !== null
}

async function handleOne(deps: Deps, environment: Environment, category: string, ref: string): Promise<void> {
  if (category === 'kyc_link') return followVerification(deps, ref)
  if (category !== 'transfer') return
  const transfer = await deps.rails[providerRail(environment)].readListed(ref)
  if (transfer !== null) await applyTransfers(deps, environment, [transfer])
}
