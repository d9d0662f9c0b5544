// The exchange rate: kept for as long as the bank allows and shared by all quotes. A payout asks for a new one, unless
// it was asked for within the last second. The last good rate is stored in the database, to show a balance while the
// bank cannot be asked; nothing is ever paid at an old rate.
import { type Clock, after } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import type { RailName } from '../../core/rail-name.ts'
import { type Rate, parseRate } from '../../core/rate.ts'
import { within } from '../../core/within.ts'
import { type PayoutRail, RailUnavailable, type RateReading } from '../../rail/port.ts'
import { railNamed } from '../../rail/which-rail.ts'
import { keepRate, readLastRate } from '../../storage/rates.ts'
import type { Database } from '../../storage/sql.ts'

/** A balance may be shown at a rate of up to this age. */
const OLDEST_SHOWN_MS = 60 * 60 * 1_000

/** How long a payout waits for a newer rate while the kept one is still valid. */
const FRESH_WITHIN_MS = 1_000

/**
 * A rate that was asked for so recently counts as the bank's current one: one question per second, however many pay.
 */
const SAME_MOMENT_MS = 1_000

export interface RateBook {
  /** The rate to quote at, or 502. */
  current(this: void, rail: RailName): Promise<Rate>
  /**
   * The rate to pay at: what the bank says now or said within the last second; else the current one if it is still
   * valid; else 502.
   */
  forPaying(this: void, rail: RailName): Promise<Rate>
  /** The rate to show a balance at: the current one, else the last good one if it is fresh enough, else 502. */
  forShowing(this: void, rail: RailName): Promise<Rate>
  /** The bank refused to pay at this rate: the next caller asks for a new one. */
  discard(this: void, rail: RailName): void
}

interface Known {
  readonly rate: Rate
  readonly askedAt: Date
  readonly validUntil: Date | null
}

export function createRateBook(deps: {
  db: Database
  clock: Clock
  rails: Readonly<Record<RailName, PayoutRail>>
}): RateBook {
  const known = new Map<RailName, Known>()
  const asking = new Map<RailName, Promise<Rate>>()

  function stillGood(rail: RailName): Known | null {
    const found = known.get(rail)
    if (found === undefined || found.validUntil === null) return found ?? null
    const now = deps.clock.now()
    // A clock that was set back says nothing about how old it is.
    return found.askedAt <= now && now < found.validUntil ? found : null
  }

  function isOfThisMoment({ askedAt }: Known): boolean {
    const ageMs = deps.clock.now().getTime() - askedAt.getTime()
    return ageMs >= 0 && ageMs < SAME_MOMENT_MS
  }

  /** Callers that come while the bank is being asked share its answer. */
  function askOnce(rail: RailName): Promise<Rate> {
    const underWay = asking.get(rail) ?? ask(rail, deps.clock.now()).finally(() => asking.delete(rail))
    asking.set(rail, underWay)
    return underWay
  }

  async function current(rail: RailName): Promise<Rate> {
    return stillGood(rail)?.rate ?? askOnce(rail)
  }

  async function forPaying(rail: RailName): Promise<Rate> {
    const kept = stillGood(rail)
    if (kept === null) return askOnce(rail)
    if (kept.validUntil === null || isOfThisMoment(kept)) return kept.rate
    const asked = askOnce(rail).catch(() => kept.rate)
    return within(FRESH_WITHIN_MS, asked, kept.rate)
  }

  async function ask(rail: RailName, now: Date): Promise<Rate> {
    const reading = await railNamed(deps, rail).readRate()
    known.set(rail, { rate: reading.rate, askedAt: now, validUntil: validUntil(reading, now) })
    if (reading.validForMs !== Number.POSITIVE_INFINITY) {
      await deps.db.inTransaction(async (tx) => keepRate(tx, rail, reading.rate.text, now)).catch(() => undefined)
    }
    return reading.rate
  }

  return {
    current: (rail) => current(rail).catch(asRefusal),
    forPaying: (rail) => forPaying(rail).catch(asRefusal),
    discard: (rail) => known.delete(rail),
    forShowing: async (rail) => {
      try {
        return await current(rail)
      } catch (error) {
        const last = await readLastRate(deps.db, rail)
        const isFresh = last !== null && last.readAt >= after(deps.clock.now(), -OLDEST_SHOWN_MS)
        return (isFresh ? parseRate(last.gbpPerUsd) : null) ?? asRefusal(error)
      }
    },
  }
}

function validUntil(reading: RateReading, now: Date): Date | null {
  return reading.validForMs === Number.POSITIVE_INFINITY ? null : after(now, reading.validForMs)
}

function asRefusal(error: unknown): never {
  if (!(error instanceof RailUnavailable)) throw error
  throw new AppError(
    'bank_unavailable',
    `There is no exchange rate at the moment. ${error.message} Nothing was sent.`,
    {
      retryAfterSeconds: Math.max(5, Math.ceil(error.retryAfterMs / 1_000)),
    },
  )
}
