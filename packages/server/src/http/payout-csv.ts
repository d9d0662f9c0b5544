// Payouts as a spreadsheet reads them: plain headings, one line each, and nothing that it would take for a formula.
import type { Environment } from '@kestrel/contract'
import { stringify } from 'csv-stringify/sync'

import { after } from '../core/clock.ts'
import { londonDay } from '../core/london-day.ts'
import { formatPence, formatUsdcSent } from '../core/money.ts'
import type { PayoutCriteria, PayoutPage } from '../domain/payouts/list-payouts.ts'

type PayoutValue = PayoutPage['payouts'][number]

const COLUMNS: readonly (readonly [heading: string, value: (payout: PayoutValue) => string])[] = [
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
]

const HEADINGS = COLUMNS.map(([heading]) => heading)

/** Chunks of text, the headings first; a chunk is made when it is wanted. */
export async function* payoutCsv(pages: AsyncIterable<readonly PayoutValue[]>): AsyncGenerator<string> {
  // The mark in front is how spreadsheets know that it is UTF-8.
  yield `\uFEFF${lines([HEADINGS])}`
  for await (const page of pages) {
    if (page.length > 0) yield lines(page.map((payout) => COLUMNS.map(([, value]) => value(payout))))
  }
}

function lines(rows: readonly (readonly string[])[]): string {
  return stringify(
    rows.map((row) => [...row]),
    // A text that begins like a formula gets an apostrophe in front, which spreadsheets do not show.
    { escape_formulas: true, quoted_string: true, record_delimiter: 'windows' },
  )
}

/** Such as payouts-sandbox-2026-11-01_2026-11-15.csv: the days in London that the filter asks for, if it has a first. */
export function payoutCsvName(environment: Environment, criteria: PayoutCriteria, now: Date): string {
  const { createdFrom, createdTo } = criteria
  const from = createdFrom === null ? 'to' : londonDay(createdFrom)
  // What was created before midnight is of the day before.
  const to = londonDay(createdTo === null ? now : after(createdTo, -1))
  return `payouts-${environment}-${from}_${to}.csv`
}
