// Payouts that wait share transactions instead of queueing for locks: those of a wallet, and those of wallets beside it. A
// transaction costs much the same for one payout as for fifty.
import type { Environment } from '@kestrel/contract'

import { Crew } from '../../../core/crew.ts'
import { AppError } from '../../../core/errors.ts'
import type { ItemOutcome } from '../../../core/lanes.ts'
import type { Scope } from '../../../core/scope.ts'
import { SharedBatches } from '../../../core/shared-batches.ts'
import { isServerRefusal, wasDeadlocked, wasKeptWaiting } from '../../../storage/database.ts'
import { LONGEST_WAIT_MS } from '../../../storage/ledger.ts'
import type { NewPayout } from '../../../storage/payout-reservations.ts'
import type { Deps } from '../../deps.ts'
import type { OutcomeOfPayout, Recorded } from '../record/outcome-of-payout.ts'
import { type OutcomeInWallet, recordTogether } from '../record/record-outcomes.ts'
import type { Reservation } from './reservation.ts'
import { reservePayouts } from './reserve-payouts.ts'
import type { AskedFor, Foretold } from './sent-at-once.ts'

export interface PayoutLanes {
  /** `foretold`: what its rail says of it beforehand. */
  reserve(scope: Scope, payout: NewPayout, foretold?: Foretold | null): Promise<Reservation>
  record(scope: Scope, outcome: OutcomeOfPayout): Promise<Recorded>
}

// 32 reach four fifths of the throughput of 512 at a tenth of the latency; 128 leaves room for bursts.
const LARGEST_BATCH = 128
// The worker has as many as are due, and whoever asks for a payout waits for the wallet's lock meanwhile.
const LARGEST_RECORD = 64
/** A batch of fewer than half of it costs more than what is gained. */
const HALVES_FROM = 48
const LONGEST_QUEUE = 4_096
// While one waits for the disk or for this program, another works; with more of them each is smaller.
const MOST_BATCHES = 2
// A batch has a price of its own, and two small ones pay it twice. Longer than most batches take.
const BESIDE = { lanes: 32, waitMs: 50 }
/** Each more is a lock more that a batch may have to wait for. */
const MOST_WALLETS = 64

type Observe = (step: 'reserve' | 'record', size: number) => void
type LaneDeps = Pick<Deps, 'db' | 'clock' | 'onAlarm'>

export function createPayoutLanes(deps: LaneDeps, observe: Observe = () => undefined): PayoutLanes {
  // What happens in the sandbox keeps nobody waiting who pays people.
  const lanes = { live: lanesOf(deps, 'live', observe), sandbox: lanesOf(deps, 'sandbox', observe) }
  return {
    reserve: ({ partnerId, environment }, payout, foretold = null) =>
      lanes[environment].reserve.submit(partnerId, { partnerId, payout, foretold }),
    record: ({ partnerId, environment }, outcome) =>
      lanes[environment].record.submit(partnerId, { partnerId, outcome }),
  }
}

function lanesOf(deps: LaneDeps, environment: Environment, observe: Observe) {
  const shared = {
    // Both steps need the wallet's lock. A batch that waits for it in the database can no longer grow.
    crew: new Crew({
      most: MOST_BATCHES,
      mostLanes: MOST_WALLETS,
      patienceMs: LONGEST_WAIT_MS,
      beside: BESIDE,
      clock: deps.clock,
    }),
    largestBatch: LARGEST_BATCH,
    longestQueue: LONGEST_QUEUE,
    mayRetryApart: (error: unknown) => mayRetrySingly(error) || wasKeptWaiting(error),
    mayRetrySingly,
    // A deadlock is over as soon as PostgreSQL has ended one of the two.
    mayRepeat: wasDeadlocked,
    mayWaitOn: wasKeptWaiting,
    onFull: () =>
      new AppError(
        'unavailable',
        'Too many payouts are waiting for this wallet. Nothing was sent. Try again shortly.',
        {
          retryAfterSeconds: 1,
        },
      ),
  }
  const reserve = new SharedBatches<AskedFor, Reservation>({
    ...shared,
    halvesFrom: HALVES_FROM,
    run: async (batch) => {
      const asked = batch.map(({ item }) => item)
      return (await reservePayouts(deps, environment, asked)).map(outcomeOf)
    },
    onBatch: (size) => observe('reserve', size),
  })
  const record = new SharedBatches<OutcomeInWallet, Recorded>({
    ...shared,
    // The bank's answers must be recorded, however long the queue is.
    longestQueue: Number.POSITIVE_INFINITY,
    largestBatch: LARGEST_RECORD,
    run: (batch) => {
      const asked = batch.map(({ item }) => item)
      return recordTogether(deps, environment, asked)
    },
    onBatch: (size) => observe('record', size),
  })
  return { reserve, record }
}

/** A repeat that was kept waiting has done nothing, and may be tried without the others. */
function outcomeOf(value: Reservation): ItemOutcome<Reservation> {
  const isKeptWaiting = value.kind === 'failed' && wasKeptWaiting(value.error)
  return isKeptWaiting ? { ok: false, error: value.error } : { ok: true, value }
}

/** Whoever waits in a circle is not refused for good, but has done nothing either. */
function mayRetrySingly(error: unknown): boolean {
  return isServerRefusal(error) || wasDeadlocked(error)
}
