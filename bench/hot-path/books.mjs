// A figure counts only if the books are right afterwards: what was answered is what is stored, what left the wallets is
// what the payouts cost, every account is the sum of its entries, and the bank made one transfer per payout.

/** Resolves once no payout is on its way any more, with the moment at which the last one came to rest. */
export async function untilAtRest(postgres, database, { longestMs = 120_000 } = {}) {
  const deadline = performance.now() + longestMs
  for (;;) {
    // What is followed is little, whatever is stored: this is asked for while it is measured what payouts cost.
    const [{ open }] = await postgres.query(database, `select count(*)::int as open from payout_follow_ups`)
    if (open === 0) break
    if (performance.now() > deadline) throw new Error(`${open} payouts of ${database} never came to their end.`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const [{ last }] = await postgres.query(database, 'select max(completed_at) as last from payouts')
  return last
}

export async function checkBooks(kestrel, postgres, { database, created, transfers = null }) {
  const wrong = []
  const [{ rows, cost }] = await postgres.query(
    database,
    `select count(*)::int as rows, coalesce(sum(wallet_sends_micro), 0)::text as cost from payouts where status = 'completed'`,
  )
  if (rows !== created) wrong.push(`${created} payouts were answered with 201, ${rows} are stored and completed`)
  const [{ spent }] = await postgres.query(
    database,
    `select (put_in.sum - left_over.sum)::text as spent
       from (select coalesce(sum(case from_account when 'external' then amount else -amount end), 0) as sum
               from ledger_entries
              where (from_account, to_account) in (('external', 'available'), ('available', 'external'))) put_in,
            (select coalesce(sum(balance), 0) as sum from ledger_accounts
              where account in ('available', 'held', 'in_transit')) left_over`,
  )
  if (spent !== cost) wrong.push(`the payouts cost ${cost} micro-USDC, ${spent} left the wallets`)
  const db = kestrel.openDatabase({
    url: postgres.urlOf(database),
    applicationName: 'bench',
    largestPool: 1,
    limits: { statementMs: 600_000 },
    onConnectionError: () => undefined,
  })
  const breaks = await kestrel.findBreaks(db)
  await db.close()
  wrong.push(...breaks.map((each) => JSON.stringify(each)))
  if (transfers !== null) {
    const made = await transfers()
    if (made.transfers !== created || made.payouts !== created)
      wrong.push(`the bank made ${made.transfers} transfers of ${made.payouts} payouts, ${created} were asked for`)
  }
  if (wrong.length > 0) throw new Error(`The books of ${database} are wrong:\n  ${wrong.join('\n  ')}`)
}
