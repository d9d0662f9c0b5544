// kill -9 of workers at every step of a month's end, each in the middle of it, and then two at once with the command
// beside them: each business has one invoice, with the ledger's sum, the next number, and its mail.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { lastMonthToBill } from '../../src/core/billing-calendar.ts'
import { londonMidnight, nextMonth } from '../../src/core/london-month.ts'
import { type Owner, ownerOf } from '../storage/owner.ts'
import { liveYear } from '../support/live-year.ts'
import { type TestMailServer, startMailServer } from '../support/mail-server.ts'
import { type Home, type Running, type Settings, aHome, launch, run, until } from './program.ts'

const PARTNERS = 12
const LOCK_WALLET = 'select balance from ledger_accounts'
const MONTH = lastMonthToBill(new Date())

let home: Home
let server: TestMailServer
/** They hold up what the workers do. */
let gate: Owner
let start: Owner
let settings: Settings
beforeAll(async () => {
  ;[home, server] = await Promise.all([aHome(), startMailServer()])
  ;[gate, start] = (await Promise.all([1, 2].map(() => ownerOf(home.settings['DATABASE_URL']!)))) as [Owner, Owner]
  settings = { ...home.settings, SMTP_URL: server.url, MAIL_FROM: 'payouts@kestrel.test' }
  // Into the next month: nothing of that is on these invoices.
  const year = { partners: PARTNERS, payouts: 480, from: `${MONTH}-20T12:00:00Z`, days: 16 }
  for (const statement of liveYear(year)) await home.owner.query(statement)
  await home.owner.query(`update partners set billing_email = slug || '@thistle.test'`)
})
afterAll(async () => {
  await Promise.all([gate.end(), start.end()])
  await home.leave()
  await server.close()
})

const count = async (what: string) =>
  (await home.owner.query<{ count: number }>(`select count(*)::int as count from ${what}`))[0]!.count

const waitingFor = (statement: string) =>
  count(
    `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ilike '${statement}%'`,
  )

async function shut(one: Owner, table: string): Promise<void> {
  await one.query('begin')
  await one.query(`lock table ${table} in share row exclusive mode`)
}

/** What the workers have sent to the database already may still happen, and has happened when this is over. */
async function killed(workers: readonly Running[]): Promise<void> {
  const ends = await Promise.all(workers.map((worker) => worker.kill('SIGKILL')))
  expect(ends.map(({ signal }) => signal)).toEqual(workers.map(() => 'SIGKILL'))
  await gate.query('rollback')
  const others = `pg_stat_activity where datname = current_database() and application_name like 'kestrel%'`
  await until('their connections are gone', async () => (await count(others)) === 0)
}

/** A worker gets as far as its first statement that needs the table, and is killed there. */
async function killedBefore(statement: string, table: string): Promise<void> {
  await shut(gate, table)
  const worker = launch(['worker'], settings)
  await until(`a worker is at: ${statement}`, async () => (await waitingFor(statement)) > 0)
  await killed([worker])
}

/** Two begin at the same invoice in the same moment, cut all of them, and are killed at their first mail. */
async function bothKilledBeforeMailing(): Promise<void> {
  await shut(start, 'invoice_numbers')
  await shut(gate, 'mails')
  const workers = [launch(['worker'], settings), launch(['worker'], settings)]
  await until('both are at the first', async () => {
    const [first, second] = await Promise.all(['insert into invoice_numbers', LOCK_WALLET].map(waitingFor))
    return first === 1 && second === 1
  })
  await start.query('rollback')
  await until('all are cut', async () => (await count('invoices')) === PARTNERS)
  await until('one is being mailed', async () => (await waitingFor('insert into mails')) > 0)
  await killed(workers)
}

/** The mail server has a mail, and the worker dies before it hears that. Returns how many mails will come again. */
async function killedBeforeTheServersYes(): Promise<number> {
  server.isSilent = true
  // On a slow machine the gate was shut for so long that a worker has put its first one off.
  await home.owner.query('update invoices set mail_after = null where mailed_at is null')
  const worker = launch(['worker'], settings)
  await until('the mail server has a mail', () => server.received.length > 0)
  await until('all are written', async () => (await count('invoices where mailed_at is null')) === 0)
  await killed([worker])
  server.isSilent = false
  // Nobody is left who holds a claim, so the test need not wait for its end.
  await home.owner.query('update mails set next_try_at = now()')
  expect(await count('mails')).toBe(PARTNERS)
  return server.received.length
}

describe('a month’s end with workers that are killed', () => {
  it('comes to one invoice for each business, numbered on, and each is mailed', async () => {
    await killedBefore('insert into invoice_numbers', 'invoice_numbers')
    expect(await count('invoices')).toBe(0)
    await killedBefore('insert into invoice_lines', 'invoice_lines')
    // Whether it had sent its COMMIT is chance: the invoice is whole, or it is not there.
    expect(await count('invoices')).toBeLessThanOrEqual(1)
    expect(await count('invoices where id not in (select invoice_id from invoice_lines)')).toBe(0)
    await bothKilledBeforeMailing()
    expect(await count('invoices where mailed_at is not null')).toBe(await count('mails'))
    const again = await killedBeforeTheServersYes()

    const workers = [launch(['worker'], settings), launch(['worker'], settings)]
    const commands = await Promise.all([run(['invoice', 'run'], settings), run(['invoice', 'run'], settings)])
    expect(commands.map(({ code, stdout }) => ({ code, stdout }))).toEqual(
      commands.map(() => ({ code: 0, stdout: `${MONTH}: 0 invoices issued.\n` })),
    )
    await until('no mail waits', async () => (await count('mails')) === 0, 60_000)
    const ends = await Promise.all(workers.map((worker) => worker.kill('SIGTERM')))
    expect(ends.map(({ code }) => code)).toEqual([0, 0])
    expect(new Set(server.received.flatMap(({ to }) => to)).size).toBe(PARTNERS)
    // Twice came only those of which the dead worker could not hear that they had arrived.
    expect(server.received).toHaveLength(PARTNERS + again)
  }, 120_000)

  it('left invoices that are the ledger’s sums of that month', async () => {
    const end = londonMidnight(nextMonth(MONTH))
    const wrong = await home.owner.query(
      `select p.slug, i.number, i.total_pence, owed.amount
         from partners p left join invoices i on i.partner_id = p.id
         left join lateral (
           select sum(case when to_account = 'fees_receivable' then amount else -amount end) as amount
             from ledger_entries e
            where e.partner_id = p.id and 'fees_receivable' in (from_account, to_account) and at < $1
         ) owed on true
        where i.total_pence is distinct from owed.amount or i.month is distinct from $2 or mailed_at is null`,
      [end, `${MONTH}-01`],
    )
    expect(wrong).toEqual([])
    const later = await count(`charges where month > '${MONTH}-01'`)
    expect(later, 'there was something that does not belong on them').toBeGreaterThan(0)
    const audit = await run(['invoice', 'audit'], settings)
    expect(audit.stdout).toMatch(new RegExp(`^The invoices are right: ${PARTNERS} invoices, \\d+ payouts, `))
    expect(audit.code).toBe(0)
  })
})
