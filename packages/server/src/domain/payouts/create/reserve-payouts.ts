// Step one of a payout: in one transaction, claims the keys, writes the payouts as pending and holds their money. Takes
// a whole batch, of one wallet or of several; nothing in here talks to a bank. What fails, fails before anything is made, or
// for a repeat alone. What a rail without a bank takes anyway is written as sent, which is all three steps.
import type { Environment } from '@kestrel/contract'

import { after } from '../../../core/clock.ts'
import { groupBy } from '../../../core/group-by.ts'
import { microUsdc } from '../../../core/money.ts'
import { isOutage } from '../../../core/outage.ts'
import type { Scope } from '../../../core/scope.ts'
import { someAtOnce } from '../../../core/some-at-once.ts'
import { isTaken, wasDeadlocked } from '../../../storage/database.ts'
import { payoutAsReserved } from '../../../storage/payout-as-reserved.ts'
import { type NewPayout, listPayoutsByKey } from '../../../storage/payout-reservations.ts'
import type { PayoutRow } from '../../../storage/payouts.ts'
import { type NewReservation, reserveNewPayouts } from '../../../storage/reserve-new-payouts.ts'
import type { Deps } from '../../deps.ts'
import type { DecidedAhead } from '../record/record-as-read.ts'
import { rowAfter } from '../record/row-after.ts'
import { stageOf } from '../progress.ts'
import { duplicatesSince } from '../warn/payout-warnings.ts'
import type { Reservation } from './reservation.ts'
import { reserveAgain } from './reserve-again.ts'
import { type AskedFor, decideAtOnce, sentAtOnce } from './sent-at-once.ts'

// The bank is given 10 s to answer; nobody else may touch the payout for three times as long.
export const LEASE_MS = 30_000
/** The most wallets whose repeats are looked at at once. */
const MOST_KNOWN = 4

export async function reservePayouts(
  deps: Pick<Deps, 'db' | 'clock'>,
  environment: Environment,
  asked: readonly AskedFor[],
): Promise<Reservation[]> {
  const now = deps.clock.now()
  const times = { now, leaseUntil: after(now, LEASE_MS) }
  const decided = asked.map((each) => decideAtOnce(environment, each, times))
  const wanted = asked.map(({ partnerId, payout, foretold }, index) => {
    const ahead = decided[index]!
    return { partnerId, payout, sent: ahead === null ? null : sentAtOnce(environment, ahead, foretold!) }
  })
  const made = await reserveNewPayouts(deps.db, environment, wanted, {
    ...times,
    duplicatesSince: duplicatesSince(now),
  }).catch((error: unknown) => onceMore(asked, error))
  const known = asked.filter((_, index) => made[index]!.outcome === 'known')
  const ofKnown = new Map<NewPayout, Reservation>()
  const wallets = [...groupBy(known, (each) => each.partnerId)]
  await someAtOnce(wallets, MOST_KNOWN, async ([partnerId, own]) => {
    const payouts = own.map(({ payout }) => payout)
    const scope = { partnerId, environment }
    const answers = await knownOrFailed(payouts, (some) => reserveKnown(deps, scope, some, times))
    answers.forEach((answer, index) => ofKnown.set(payouts[index]!, answer))
  })
  return asked.map((each, index) => {
    const written = { made: made[index]!, ahead: decided[index]!, ...times }
    return ofKnown.get(each.payout) ?? reservationOfNew(environment, each, written)
  })
}

/**
 * A process of the release before claims its keys before it has the wallet's lock. One that asks for the same key at this
 * moment is in the way of the batch, and is found when the payout is asked for again.
 */
function onceMore(payouts: readonly AskedFor[], error: unknown): NewReservation[] {
  const isInTheWay = isTaken(error, 'payouts_idempotency_key') || wasDeadlocked(error)
  if (payouts.length > 1 || !isInTheWay) throw error
  return [{ outcome: 'repeated', available: microUsdc(0n), followsRefusal: false, warnings: null, version: '' }]
}

function reservationOfNew(
  environment: Environment,
  asked: AskedFor,
  { made, ahead, ...times }: { made: NewReservation; ahead: DecidedAhead | null; now: Date; leaseUntil: Date },
): Reservation {
  const { outcome, available, followsRefusal, warnings, version } = made
  switch (outcome) {
    case 'reserved': {
      if (ahead !== null) return { kind: 'sent', row: rowAfter(ahead, warnings) }
      const scope = { partnerId: asked.partnerId, environment }
      const row = payoutAsReserved(scope, asked.payout, { ...times, warnings })
      const { id: payoutId, createdAt, bankAttempt, sendAttempts, listedBy } = row
      const first = { createdAt, bankAttempt, sendAttempts, listedBy, givenUpAs: null }
      return { kind: 'reserved', payoutId, followsRefusal, ...first, asRead: { row, version } }
    }
    case 'unfunded':
      return { kind: 'unfunded', available }
    case 'moved':
    case 'keyless':
    case 'paused':
    case 'over_limit':
      return { kind: outcome }
    // Of two requests with one key the second finds the first when it asks again.
    case 'known':
    case 'repeated':
    case 'limited':
      return { kind: 'retry' }
  }
}

/**
 * The new ones of the batch are made by now, and their requests must go on to the bank: a failure is the answer of the
 * repeats that it concerns, and is not thrown.
 */
async function knownOrFailed(
  payouts: readonly NewPayout[],
  reserve: (some: readonly NewPayout[]) => Promise<Reservation[]>,
): Promise<Reservation[]> {
  try {
    return await reserve(payouts)
  } catch (error) {
    if (payouts.length === 1 || isNobodysFault(error)) return payouts.map(() => ({ kind: 'failed', error }))
  }
  const answers: Reservation[] = []
  for (const payout of payouts) {
    const before = answers.at(-1)
    const isOver = before?.kind === 'failed' && isNobodysFault(before.error)
    answers.push(...(isOver ? [before] : await knownOrFailed([payout], reserve)))
  }
  return answers
}

/** While the database does not answer, trying each would only keep the new ones from the bank. */
function isNobodysFault(error: unknown): boolean {
  return isOutage(error) && !wasDeadlocked(error)
}

/**
 * Keys that belong to a payout already. One that is visible is replayed as it is; the others are looked at under lock, once it is
 * certain who asks.
 */
async function reserveKnown(
  deps: Pick<Deps, 'db'>,
  scope: Scope,
  payouts: readonly NewPayout[],
  times: Parameters<typeof reserveAgain>[3],
): Promise<Reservation[]> {
  const keys = payouts.map(({ idempotencyKey }) => idempotencyKey)
  const rows = new Map((await listPayoutsByKey(deps.db, scope, keys)).map((row) => [row.idempotencyKey, row]))
  const isBound = (row: PayoutRow | undefined): row is PayoutRow => row !== undefined && stageOf(row).key === 'bound'
  const unsettled = payouts.filter(
    ({ idempotencyKey, holderVersion }) => holderVersion === null && !isBound(rows.get(idempotencyKey)),
  )
  const reserved = unsettled.length === 0 ? [] : await reserveAgain(deps, scope, unsettled, times)
  return payouts.map((payout) => {
    const row = rows.get(payout.idempotencyKey)
    return isBound(row) ? { kind: 'taken', row } : (reserved[unsettled.indexOf(payout)] ?? { kind: 'retry' })
  })
}
