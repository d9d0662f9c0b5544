// Payouts counted and added up: the export's rows against usage, summary, days, recipients, the list and a filtered export.
import type { PayoutDay, PayoutList, PayoutSummary, RecipientSummary, Usage } from '@kestrel/contract'

import { after } from '../../../src/core/clock.ts'
import { type Month, londonMidnight, nextMonth } from '../../../src/core/london-month.ts'
import type { CsvRecord } from '../../support/csv-records.ts'
import type { TestPartner } from '../../support/fixtures.ts'
import { penceIn, sumOf } from './amounts.ts'
import { type Look, monthsOf, read, readPages, readTable } from './look.ts'

interface Sums {
  readonly count: number
  readonly amount: bigint
  readonly fees: bigint
}

/** A wallet and all rows of its export. */
interface Exported {
  readonly wallet: TestPartner
  readonly rows: readonly CsvRecord[]
}

interface Span {
  readonly from: string
  readonly to: string
}

const EXPORT = '/v1/payouts/export.csv'
const DAY_MS = 86_400_000
/** What recipients are grouped from. */
const RECIPIENT_DAYS = 90
const COUNTED_FOR_RECIPIENTS = new Set(['pending', 'processing', 'completed'])
const STATUSES = ['completed', 'returned', 'failed', 'cancelled', 'processing,pending']

export async function comparePayoutSums(look: Look, wallet: TestPartner): Promise<void> {
  const rows = await readTable(look.test, wallet, EXPORT)
  const exported = { wallet, rows }
  look.differences.compare(`${wallet.environment}, all payouts`, {
    'the summary says': await summaryOf(look, wallet, ''),
    'the export': sumsOf(rows),
  })
  for (const month of monthsOf(look)) {
    await compareMonth(look, exported, month)
    await comparePartOf(look, exported, month)
  }
  await compareLastDays(look, exported)
  await compareRecipients(look, exported)
  await compareList(look, exported)
}

function sumsOf(rows: readonly CsvRecord[]): Sums {
  return {
    count: rows.length,
    amount: sumOf(rows, (row) => penceIn(row['Amount (GBP)']!)),
    fees: sumOf(rows, (row) => penceIn(row['Fee (GBP)']!)),
  }
}

async function summaryOf({ test }: Look, wallet: TestPartner, query: string): Promise<Sums> {
  const summary = await read<PayoutSummary>(test, wallet, `/v1/payouts/summary?${query}`)
  return { count: summary.count, amount: penceIn(summary.amount_gbp), fees: penceIn(summary.fee_gbp) }
}

/** Moments in one form of ISO 8601, which sort as texts. An empty one is never within. */
const isWithin = (moment: string, { from, to }: Span) => moment >= from && moment < to

async function compareMonth(look: Look, { wallet, rows }: Exported, month: Month): Promise<void> {
  const { test, differences } = look
  const where = `${wallet.environment}, ${month}`
  const span = { from: londonMidnight(month).toISOString(), to: londonMidnight(nextMonth(month)).toISOString() }
  const created = rows.filter((row) => isWithin(row['Created (UTC)']!, span))
  const completed = rows.filter((row) => isWithin(row['Completed (UTC)']!, span))
  const ended = rows.filter((row) => row['Came to nothing on (London)']!.startsWith(month))
  const { payouts: usage } = await read<Usage>(test, wallet, `/v1/usage?month=${month}`)
  const { data: days } = await read<{ data: PayoutDay[] }>(test, wallet, `/v1/payouts/daily?completed_in=${month}`)
  const during = (what: string) => `${what}_from=${span.from}&${what}_to=${span.to}`
  const filtered = await readTable(test, wallet, `${EXPORT}?${during('completed')}`)
  differences.compare(where, {
    'the export has completed, by the time,': completed.length,
    'by the day in London': rows.filter((row) => row['Completed on (London)']!.startsWith(month)).length,
  })
  differences.compare(where, {
    'the export has completed': sumsOf(completed),
    'usage says': {
      count: usage.completed,
      amount: penceIn(usage.paid_to_sellers_gbp),
      fees: penceIn(usage.fees_gbp),
    },
    'the summary of those completed says': await summaryOf(look, wallet, during('completed')),
    'the export of those completed has': sumsOf(filtered),
    'the days say': {
      count: days.reduce((sum, { count }) => sum + count, 0),
      amount: sumOf(days, amountOfDay),
      fees: sumOf(days, ({ fees_gbp }) => penceIn(fees_gbp)),
    },
  })
  differences.compare(where, { 'usage counts as created': usage.count, 'the export has': created.length })
  differences.compare(where, {
    'the export has created': sumsOf(created),
    'the summary of those created says': await summaryOf(look, wallet, during('created')),
  })
  differences.compare(where, {
    'the export has come to nothing': sumsOf(ended),
    'the summary of those ended says': await summaryOf(look, wallet, during('ended')),
  })
}

const amountOfDay = (day: PayoutDay) => penceIn(day.completed_gbp) + penceIn(day.other_gbp)

/** From and to moments within a day, where the kept sums of whole days are not enough. */
async function comparePartOf(look: Look, { wallet, rows }: Exported, month: Month): Promise<void> {
  const { dice, differences } = look
  const anyMoment = after(londonMidnight(month), dice.draw(20 * DAY_MS))
  // Payouts are few: begun with one of them, a span is not empty.
  const from = rows.length > 0 && dice.draw(2) === 0 ? new Date(dice.pick(rows)['Created (UTC)']!) : anyMoment
  const span = { from: from.toISOString(), to: after(from, dice.draw(10 * DAY_MS)).toISOString() }
  const query = `created_from=${span.from}&created_to=${span.to}`
  const created = rows.filter((row) => isWithin(row['Created (UTC)']!, span))
  differences.compare(`${wallet.environment}, created from ${span.from} to ${span.to}`, {
    'the summary says': await summaryOf(look, wallet, query),
    'the export': sumsOf(created),
  })
  const status = dice.pick(STATUSES)
  differences.compare(`${wallet.environment}, ${status}, created from ${span.from} to ${span.to}`, {
    'the summary says': await summaryOf(look, wallet, `status=${status}&${query}`),
    'the export': sumsOf(created.filter((row) => status.split(',').includes(row['Status']!))),
  })
}

async function compareLastDays({ test, differences }: Look, { wallet, rows }: Exported): Promise<void> {
  const { data: days } = await read<{ data: PayoutDay[] }>(test, wallet, '/v1/payouts/daily?days=30')
  for (const day of days) {
    const { count, amount } = sumsOf(rows.filter((row) => row['Created on (London)'] === day.date))
    differences.compare(`${wallet.environment}, created on ${day.date}`, {
      'the day says': { count: day.count, amount: amountOfDay(day) },
      'the export': { count, amount },
    })
  }
}

async function compareRecipients({ test, differences }: Look, { wallet, rows }: Exported): Promise<void> {
  const since = after(test.clock.now(), -RECIPIENT_DAYS * DAY_MS).toISOString()
  const { data: recipients } = await read<{ data: RecipientSummary[] }>(test, wallet, '/v1/recipients')
  const counted = rows.filter((row) => COUNTED_FOR_RECIPIENTS.has(row['Status']!) && row['Created (UTC)']! >= since)
  differences.compare(`${wallet.environment}, the last ${RECIPIENT_DAYS} days`, {
    'the recipients have': {
      payouts: recipients.reduce((sum, { payouts }) => sum + payouts, 0),
      paid: sumOf(recipients, ({ paid_gbp }) => penceIn(paid_gbp)),
    },
    'the export': {
      payouts: counted.length,
      paid: sumsOf(counted.filter((row) => row['Status'] === 'completed')).amount,
    },
  })
}

async function compareList({ test, differences }: Look, { wallet, rows }: Exported): Promise<void> {
  const pages = await readPages<PayoutList>(test, wallet, '/v1/payouts?limit=7')
  differences.compare(`${wallet.environment}, all payouts`, {
    'the list has': pages.flatMap(({ data }) => data.map(({ id }) => id)),
    'the export': rows.map((row) => row['Payout']),
  })
}
