// Books with very many payouts: loaded through COPY past the program, but not past the database, whose guards and triggers see
// every row and keep balances and sums as they do for the program.
import pg from 'pg'

import { copyIn } from './copy-in.mjs'
import {
  ENTRY_COLUMNS,
  FOLLOW_UP_COLUMNS,
  MARK_COLUMNS,
  PAYOUT_COLUMNS,
  entryRows,
  followUpRow,
  markRow,
  payoutRow,
  payouts,
} from './payout-rows.mjs'

/** Payouts per transaction. */
const BATCH = 20_000

/** Loads `count` payouts of a partner whose sandbox wallet has the money, over the last `days`. */
export async function fill({ url, partnerId, count, days = 90, londonMonth, progress }) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('set synchronous_commit = off')
    const until = Date.now() - 60_000
    const months = new Map()
    for (let first = 0; first < count; first += BATCH) {
      const some = [...payouts({ partnerId, first, count: Math.min(BATCH, count - first), total: count, until, days })]
      for (const each of some) addUsage(months, each, londonMonth)
      await load(client, some)
      if ((first / BATCH) % 25 === 24) progress(`filled ${first + some.length} of ${count} payouts`)
    }
    await writeUsage(client, partnerId, months)
    await client.query('vacuum (analyze) payouts, ledger_entries, payout_recipients, payout_days, wallet_days')
  } finally {
    await client.end()
  }
}

async function load(client, some) {
  await client.query('begin')
  await copyIn(client, `payouts (${PAYOUT_COLUMNS})`, some.map(payoutRow))
  await copyIn(client, `ledger_entries (${ENTRY_COLUMNS})`, some.flatMap(entryRows))
  await copyIn(client, `payout_recipients (${MARK_COLUMNS})`, some.map(markRow))
  const followed = some.filter(({ completedAt }) => completedAt === null)
  if (followed.length > 0) await copyIn(client, `payout_follow_ups (${FOLLOW_UP_COLUMNS})`, followed.map(followUpRow))
  await client.query('commit')
}

function addUsage(months, payout, londonMonth) {
  const of = (ms) => {
    const month = londonMonth(new Date(ms))
    if (!months.has(month)) months.set(month, { created: 0, completed: 0, paid: 0, fee: 0, onInvoice: 0 })
    return months.get(month)
  }
  of(payout.createdAt).created += 1
  if (payout.completedAt === null) return
  const month = of(payout.completedAt)
  month.completed += 1
  month.paid += payout.amount
  month.fee += payout.fee
  month.onInvoice += payout.fee - payout.inTransfer
}

async function writeUsage(client, partnerId, months) {
  for (const [month, { created, completed, paid, fee, onInvoice }] of months) {
    await client.query(
      `insert into usage_months (partner_id, environment, month, created, completed, paid_pence, fee_pence, fee_on_invoice_pence)
       values ($1, 'sandbox', ($2 || '-01')::date, $3, $4, $5, $6, $7)`,
      [partnerId, month, created, completed, paid, fee, onInvoice],
    )
  }
}
