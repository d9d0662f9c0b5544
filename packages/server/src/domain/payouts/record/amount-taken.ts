// What the bank says it took for a payout, and by how much that differs from what is booked. Old news counts for nothing.
import type { MicroUsdc } from '../../../core/money.ts'
import type { TransferSnapshot } from '../../../rail/transfer.ts'
import type { FollowedPayout } from '../../../storage/payouts.ts'
import { isStale } from './news-concerns.ts'
import { isTooMuch, takenFromWallet } from './taken-from-wallet.ts'
import { type Stage, stageOf } from '../progress.ts'

/** Null: what was reserved, or the bank has not said. */
export function bankSentAfter(row: FollowedPayout, transfer: TransferSnapshot): MicroUsdc | null {
  if (transfer.send === undefined || isStale(row, transfer)) return row.bankSent
  const taken = takenFromWallet(row, transfer)
  return taken === row.walletSends ? null : taken
}

/** What of it the bank has put into the operator's own wallet; null: it has not said. What cannot be true is not believed. */
export function surplusAfter(row: FollowedPayout, transfer: TransferSnapshot): MicroUsdc | null {
  const { surplus } = transfer
  return surplus === undefined || isStale(row, transfer) || isTooMuch(row, surplus) ? (row.surplus ?? null) : surplus
}

/** A moment that is still to come is no measure of what is old: whatever the bank says next would be. */
export function bankUpdatedAfter(row: FollowedPayout, transfer: TransferSnapshot, now: Date): Date | null {
  if (transfer.updatedAt === undefined || isStale(row, transfer)) return row.bankUpdatedAt
  return transfer.updatedAt < now ? transfer.updatedAt : now
}

/** By how much more the bank has taken than is booked, once the payout has reached a stage; below zero, less. */
export function differenceAt(row: FollowedPayout, reached: Stage, bankSent: MicroUsdc | null): bigint {
  return overReserved(row, reached, bankSent) - overReserved(row, stageOf(row), row.bankSent)
}

/** Of money that is back, or that the bank never had, nothing is booked. */
function overReserved(row: FollowedPayout, stage: Stage, bankSent: MicroUsdc | null): bigint {
  const isWithBank = stage.transfer === 'made' && stage.money !== 'available'
  return isWithBank && bankSent != null ? bankSent - row.walletSends : 0n
}
