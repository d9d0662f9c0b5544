// The exchange rate, asked for as seldom as the bank allows and shared by quotes and payouts. The last good one is
// kept in the database, for showing a balance while the bank cannot be asked; nothing is ever paid at an old rate.
import type { RailName } from '@kestrel/contract'

import { type Clock, after } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import { type Rate, parseRate } from '../../core/rate.ts'
import { type PayoutRail, RailUnavailable, type RateReading } from '../../rail/rail.ts'
import { keepRate, readLastRate } from '../../storage/rates.ts'
import type { Database } from '../../storage/sql.ts'

/** A balance may be shown at a rate of up to this age. */
const OLDEST_SHOWN_MS = 60 * 60 * 1_000

export interface RateBook {
  /** The rate to pay at, or 502. */
  current(rail: RailName): Promise<Rate>
  /** The rate to show a balance at: the current one, else the last good one if it is fresh enough, else 502. */
  forShowing(rail: RailName): Promise<Rate>
}

interface Known {
  readonly rate: Rate
  readonly validUntil: Date | null
}

export function createRateBook(deps: {
  db: Database
  clock: Clock
  rails: Readonly<Record<RailName, PayoutRail>>
}): RateBook {
  const known = new Map<RailName, Known>()
  const asking = new Map<RailName, Promise<Rate>>()

  async function current(rail: RailName): Promise<Rate> {
    const now = deps.clock.now()
    const found = known.get(rail)
    if (found !== undefined && (found.validUntil === null || found.validUntil > now)) return found.rate
    // Everybody who comes while the bank is being asked shares its answer.
    const underWay = asking.get(rail) ?? ask(rail, now).finally(() => asking.delete(rail))
    asking.set(rail, underWay)
    return underWay
  }

  async function ask(rail: RailName, now: Date): Promise<Rate> {
    const reading = await deps.rails[rail].readRate()
    known.set(rail, { rate: reading.rate, validUntil: validUntil(reading, now) })
    if (rail !== 'simulated') {
      await deps.db.inTransaction(async (tx) => keepRate(tx, rail, reading.rate.text, now)).catch(() => undefined)
    }
    return reading.rate
  }

  return {
    current: (rail) => current(rail).catch(asRefusal),
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
  throw new AppError('bank_unavailable', `There is no exchange rate to be had: ${error.message} Nothing was sent.`, {
    retryAfterSeconds: 5,
  })
}
