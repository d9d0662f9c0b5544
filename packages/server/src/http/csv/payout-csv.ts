// Payouts as a CSV table.
import type { Environment } from '@kestrel/contract'

import { after } from '../../core/clock.ts'
import { londonDay } from '../../core/london-day.ts'
import { formatPence, formatUsdcSent, pence } from '../../core/money.ts'
import { refundedAt } from '../../domain/payouts/read/refunded-at.ts'
import { failureOf } from '../../domain/payouts/record/failure-reasons.ts'
import type { PayoutCriteria } from '../../domain/payouts/read/list-payouts.ts'
import type { Payout } from '../../domain/payouts/payout.ts'
import { type CsvColumns, csvOf } from './csv.ts'

const COLUMNS: CsvColumns<Payout> = [
  ['Payout', (payout) => payout.id],
  ['Created (UTC)', (payout) => payout.createdAt.toISOString()],
  ['Status', (payout) => payout.status],
  ['Recipient', (payout) => payout.recipientName],
  ['Account ends in', (payout) => payout.accountLast4],
  ['Reference', (payout) => payout.reference ?? ''],
  ['Amount (GBP)', (payout) => formatPence(payout.amount)],
  ['Fee (GBP)', (payout) => formatPence(payout.fee)],
  ['Sent from wallet (USDC)', (payout) => formatUsdcSent(payout.walletSends)],
  ['Pounds per dollar', (payout) => payout.gbpPerUsd],
  ['Completed (UTC)', (payout) => payout.completedAt?.toISOString() ?? ''],
  ['Reason', (payout) => payout.failureReason ?? ''],
  ['Created through', (payout) => (payout.createdVia === 'api' ? 'API' : 'Dashboard')],
  ['Created by', (payout) => payout.createdBy ?? ''],
  ['Idempotency key', (payout) => payout.idempotencyKey],
  // Days as on invoices and pages: in summer a payout of 23:30 UTC belongs to the next day.
  ['Created on (London)', (payout) => londonDay(payout.createdAt)],
  ['Completed on (London)', (payout) => dayOf(payout.completedAt)],
  ['Came to nothing on (London)', (payout) => dayOf(payout.endedAt)],
  ['Failure code', (payout) => failureOf(payout).code ?? ''],
  ['Retry', (payout) => failureOf(payout).retry ?? ''],
  ['Back in the wallet (UTC)', (payout) => refundedAt(payout)?.toISOString() ?? ''],
  // Adds up to the fees of a month. The other fee is what a payout costs if it arrives.
  ['Fee charged (GBP)', (payout) => formatPence(payout.completedAt === null ? NOTHING : payout.fee)],
]

const NOTHING = pence(0n)

const dayOf = (moment: Date | null) => (moment === null ? '' : londonDay(moment))

export function payoutCsv(pages: AsyncIterable<readonly Payout[]>): AsyncGenerator<string> {
  return csvOf(COLUMNS, pages)
}

/** Such as payouts-sandbox-2026-11-01_2026-11-15.csv: the filter's days in London, or all since `since`. */
export function payoutCsvName(
  environment: Environment,
  criteria: PayoutCriteria,
  all: { since: Date; now: Date },
): string {
  const { createdFrom, createdTo, completedFrom, completedTo } = criteria
  const isByCompletion = createdFrom === null && createdTo === null
  const [first, end] = isByCompletion ? [completedFrom, completedTo] : [createdFrom, createdTo]
  const from = londonDay(first ?? all.since)
  // A period that ends at midnight ends with the day before.
  const to = londonDay(end === null ? all.now : after(end, -1))
  return `payouts-${environment}-${from}_${to}.csv`
}
