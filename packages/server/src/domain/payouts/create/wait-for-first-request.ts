// How long a repeated request waits for the first one with its key: ten seconds in all, without holding a connection.
import { type Clock, monotonicMs, wait } from '../../../core/clock.ts'
import { AppError } from '../../../core/errors.ts'
import type { Scope } from '../../../core/scope.ts'
import { type PayoutRow, findPayoutByKey } from '../../../storage/payouts.ts'
import type { Deps } from '../../deps.ts'
import { stageOf } from '../progress.ts'

const LONGEST_WAIT_MS = 10_000
const FIRST_LOOK_MS = 25
const SLOWEST_LOOK_MS = 250

export interface Waiting {
  /** Resolves when the first request has its outcome; throws 409 when that takes too long. */
  forFirstRequest(isFirstRunning: () => Promise<boolean>): Promise<void>
  /** Throws 409 when a request that has to ask again has done so for too long. */
  refuseIfOver(): void
}

/**
 * How many requests wait for one key; the next is refused at once. Each of them looks several times per second for ten
 * seconds.
 */
const MOST_WAITING = 32
const waitingFor = new Map<string, number>()

export function waitPerKey(clock: Clock, key: { scope: Scope; idempotencyKey: string }): Waiting {
  const deadline = monotonicMs(clock) + LONGEST_WAIT_MS
  const who = `${key.scope.partnerId}/${key.scope.environment}/${key.idempotencyKey}`
  return {
    refuseIfOver() {
      if (monotonicMs(clock) > deadline) throw firstStillRunning()
    },
    async forFirstRequest(isFirstRunning) {
      if (!(await isFirstRunning())) return
      const others = waitingFor.get(who) ?? 0
      if (others >= MOST_WAITING) throw firstStillRunning()
      waitingFor.set(who, others + 1)
      try {
        for (let pause = FIRST_LOOK_MS; await isFirstRunning(); pause = Math.min(pause * 2, SLOWEST_LOOK_MS)) {
          if (monotonicMs(clock) > deadline) throw firstStillRunning()
          await wait(clock, pause)
        }
      } finally {
        const left = waitingFor.get(who)! - 1
        if (left === 0) waitingFor.delete(who)
        else waitingFor.set(who, left)
      }
    },
  }
}

/**
 * The payout of a key once no request with it is under way, or null when there is none. Ask this before saying that
 * nothing was sent.
 */
export async function afterFirstRequest(
  deps: Pick<Deps, 'db'>,
  waiting: Waiting,
  { scope, idempotencyKey }: { scope: Scope; idempotencyKey: string },
): Promise<PayoutRow | null> {
  let row: PayoutRow | null = null
  await waiting.forFirstRequest(async () => {
    row = await findPayoutByKey(deps.db.lookup, scope, idempotencyKey)
    return row !== null && stageOf(row).key === 'waits'
  })
  return isVisible(row) ? row : null
}

function isVisible(row: PayoutRow | null): row is PayoutRow {
  return row !== null && stageOf(row).isVisible
}

export function firstStillRunning(): AppError {
  return new AppError(
    'idempotency_key_in_progress',
    'A request with this Idempotency-Key is still under way. Retry with the same key; it will never pay twice.',
    { retryAfterSeconds: 1 },
  )
}
