// When somebody looks again at what is on its way.
import { after } from '../../../core/clock.ts'
import type { TransferSnapshot } from '../../../rail/transfer.ts'

const FIRST_CHECK_MS = 1_000
/** A bank that lists its transfers is heard of every few seconds, and its messages tell sooner: this is the net under both. */
const FIRST_CHECK_OF_LISTED_MS = 15_000
const SLOWEST_CHECK_MS = 5 * 60_000

/** 1 s, 2 s, 4 s … up to 5 minutes, for ever: nothing fails by age alone. */
export function nextCheck(now: Date, checks: number, firstMs = FIRST_CHECK_MS): Date {
  return after(now, Math.min(firstMs * 2 ** Math.min(checks, 20), SLOWEST_CHECK_MS))
}

/** When the bank said that something would change, if that is still to come. `checks`: how often it was asked since the payout moved. */
export function checkOfTransfer(transfer: TransferSnapshot, checks: number, now: Date): Date {
  const { nextChangeAt, updatedAt } = transfer
  if (nextChangeAt !== null && nextChangeAt > now) return nextChangeAt
  // Only what is listed says when it changed.
  return nextCheck(now, checks, updatedAt === undefined ? FIRST_CHECK_MS : FIRST_CHECK_OF_LISTED_MS)
}
