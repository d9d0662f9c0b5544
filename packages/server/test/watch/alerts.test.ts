// The alert rules in deploy/: each is silent about a sound service, and rings when the thing it is about is broken.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import { reconcile } from '../../src/domain/banking/reconcile/reconcile.ts'
import { deliverMails } from '../../src/domain/mail/deliver-mails.ts'
import { queueMail } from '../../src/domain/mail/queue-mail.ts'
import { modulusTableDate } from '../../src/domain/modulus/chosen-table.ts'
import { PULSE } from '../../src/domain/watch/read-watch.ts'
import { aLiveBank } from '../billing/live-bank.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type BankApp, startBankApp } from '../support/bank-app.ts'
import { aPartner, createPayout, get, inLive, sql } from '../support/fixtures.ts'
import { startMailServer } from '../support/mail-server.ts'
import { evaluate, metricsIn } from './promql.ts'
import { type WatchedApp, watched } from './watched-app.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}
const file = readFileSync(join(ROOT, 'deploy/prometheus/alerts.yml'), 'utf8')
const rules = (parse(file) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules)

/** Breaks what an alert is about, on a service that was sound. What it returns puts right what the books are asked about. */
type Break = (of: WatchedApp) => Promise<void | (() => Promise<unknown>)>
interface Case {
  readonly start?: () => Promise<TestApp>
  readonly breaks: Break
}

const moved = async (table: string, { test }: WatchedApp) => {
  await sql(test, `alter table ${table} rename to elsewhere`)
  return () => sql(test, `alter table elsewhere rename to ${table}`)
}
const aLatePayout = async ({ test }: WatchedApp) => {
  await createPayout(test, await aPartner(test), { reference: 'sandbox:late' })
}

async function tamperWithLedger({ test }: WatchedApp) {
  const { id } = await aPartner(test)
  const add = (change: string) =>
    sql(
      test,
      `update ledger_accounts set balance = balance ${change}
        where partner_id = $1 and environment = 'sandbox' and account = 'available'`,
      [id],
    )
  await sql(test, 'alter table ledger_accounts disable trigger user')
  await add('+ 1')
  await reconcile(test.deps)
  return () => add('- 1')
}

async function losesAtBank({ test }: WatchedApp) {
  await (test as BankApp).aConnectedPartner()
  await (test as BankApp).bank.query('alter table wallets disable trigger user')
  await (test as BankApp).bank.query('update wallets set balance_micro = balance_micro + 1')
  await reconcile(test.deps)
}

async function failLivePayouts({ test }: WatchedApp) {
  const partner = await inLive(test, await aPartner(test), '5000.00')
  for (let made = 0; made < 20; made++) await createPayout(test, partner, {})
  test.clock.advance(MINUTE_MS)
  await test.follow()
}

async function waitForConnections({ test }: WatchedApp) {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const { most } = test.deps.reports.use()
  const taken = Array.from({ length: most + 1 }, () => test.deps.reports.inTransaction(() => held))
  await expect.poll(() => test.deps.reports.use().waiting).toBe(1)
  return async () => {
    release()
    await Promise.all(taken)
  }
}

const aFailingLiveBank = async () => {
  const bank = aLiveBank(() => test.clock.now())
  bank.says = { state: 'undeliverable', refund: 'done' }
  const test = await startTestApp({ liveRail: bank })
  return test
}

const CASES: Readonly<Record<string, Case>> = {
  KestrelDown: { breaks: ({ test }) => test.app.close() },
  KestrelDatabaseUnreadable: { breaks: (of) => moved('payout_follow_ups', of) },
  KestrelNoWorker: { breaks: async ({ test }) => test.clock.advance(2 * MINUTE_MS) },
  KestrelJobFails: {
    breaks: async ({ test, note }) => {
      test.clock.advance(1_000)
      await note('send mail', 'failed')
    },
  },
  KestrelJobHangs: {
    breaks: async ({ test, note }) => {
      test.clock.advance(HOUR_MS + MINUTE_MS)
      await note(PULSE, 'finished')
    },
  },
  KestrelAlarm: {
    breaks: async ({ test: { deps } }) => {
      deps.alarms.ring('the rail threw', {})
      await deps.alarms.settled()
    },
  },
  KestrelPayoutsInDoubt: {
    breaks: async (of) => {
      await aLatePayout(of)
      of.test.clock.advance(16 * MINUTE_MS)
    },
  },
  KestrelPayoutsUnresolved: {
    breaks: async ({ test }) => {
      await createPayout(test, await aPartner(test), { reference: 'sandbox:hold' })
      test.clock.advance(DAY_MS + HOUR_MS)
    },
  },
  KestrelPayoutsFail: { start: aFailingLiveBank, breaks: failLivePayouts },
  KestrelQueueLag: {
    breaks: async (of) => {
      await aLatePayout(of)
      of.test.clock.advance(15 * MINUTE_MS)
    },
  },
  KestrelMailStuck: {
    start: async () => {
      const server = await startMailServer()
      await server.close()
      return startTestApp({ smtp: { url: server.url, from: 'payouts@kestrel.test' } })
    },
    breaks: async ({ test }) => {
      const mail = { to: 'amara@thistle.test', subject: 'A code', text: 'x', html: '<p>x</p>' }
      await test.deps.db.inTransaction(async (tx) =>
        queueMail(tx, test.deps, { kind: 'test', mail, usefulUntil: null }),
      )
      await expect(deliverMails(test.deps)).rejects.toThrow('could not take the mail')
      test.clock.advance(11 * MINUTE_MS)
      await expect(deliverMails(test.deps)).rejects.toThrow('could not take the mail')
    },
  },
  KestrelLedgerDrift: { breaks: tamperWithLedger },
  KestrelReconciliationBreaks: { start: startBankApp, breaks: losesAtBank },
  KestrelReconciliationBreaksStay: {
    breaks: async (of) => {
      const putRight = await tamperWithLedger(of)
      of.test.clock.advance(3 * DAY_MS)
      await reconcile(of.test.deps)
      return putRight
    },
  },
  KestrelBooksNotCompared: { breaks: async ({ test }) => test.clock.advance(27 * HOUR_MS) },
  KestrelBankUnreachable: {
    start: startBankApp,
    breaks: async ({ test }) => {
      const { rails, bankRails } = test.deps
      await (test as BankApp).bank.control('POST', '/faults', {
        route: 'GET /v0/exchange_rates',
        mode: 'reset_before',
        times: 99,
      })
      for (let asked = 0; asked < 9; asked++) await expect(rails[bankRails.sandbox]!.readRate()).rejects.toThrow('rate')
    },
  },
  KestrelErrors: {
    breaks: async (of) => {
      const partner = await aPartner(of.test)
      const putBack = await moved('payouts', of)
      expect((await get(of.test, partner, '/v1/payouts')).statusCode).toBe(500)
      return putBack
    },
  },
  KestrelPoolExhausted: { breaks: waitForConnections },
  KestrelModulusTableOld: {
    start: async () => {
      const test = await startTestApp()
      test.clock.set(new Date(modulusTableDate()!.getTime() + DAY_MS).toISOString())
      return test
    },
    breaks: async ({ test }) => test.clock.advance(200 * DAY_MS),
  },
  KestrelTwoVersions: {
    // Another process, of the release before, which Prometheus reads at the same time.
    breaks: async (of) => {
      const read = of.read
      of.read = async () => {
        const scrape = await read()
        const own = scrape.samples.find(({ name }) => name === 'kestrel_build_info')!
        const both = {
          ...scrape,
          samples: [...scrape.samples, { ...own, labels: { ...own.labels, version: '1.2.0' } }],
        }
        ;(of.history as (typeof scrape)[]).splice(-1, 1, both)
        return both
      }
    },
  },
}

describe('the alert rules', () => {
  it('each have a way to be broken here', () => {
    expect(rules.map(({ alert }) => alert).toSorted()).toEqual(Object.keys(CASES).toSorted())
  })

  it('each lead to a procedure in docs/operations.md, with a severity', () => {
    const manual = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')
    const headings = [...manual.matchAll(/^#+ (.+)$/gm)].map(([, words]) => words!.toLowerCase().replaceAll(' ', '-'))
    for (const { annotations, labels } of rules) {
      expect(headings).toContain(annotations.runbook.replace('docs/operations.md#', ''))
      expect(['critical', 'warning']).toContain(labels.severity)
    }
  })

  it.each(rules)('$alert is silent while all is well, and rings when it is broken', async ({ alert, expr }) => {
    const { start = startTestApp, breaks } = CASES[alert]!
    const of = { ...(await watched(await start())) }
    await of.read()
    const before = evaluate(expr, of.history)
    const putRight = await breaks(of)
    await of.read()
    const after = evaluate(expr, of.history)
    await putRight?.()
    await of.test.close()
    expect(before).toEqual([])
    expect(after).not.toEqual([])
  })
})

it('a comparison that is dated ahead silences nothing', async () => {
  const of = await watched(await startTestApp())
  const ahead = { ...of.test.deps.clock, now: () => new Date(of.test.clock.now().getTime() + 300 * DAY_MS) }
  await reconcile({ ...of.test.deps, clock: ahead })
  of.test.clock.advance(27 * HOUR_MS)
  await of.read()
  const { expr } = rules.find(({ alert }) => alert === 'KestrelBooksNotCompared')!
  expect(evaluate(expr, of.history)).not.toEqual([])
  await of.test.close()
})

describe('every metric that is named', () => {
  const board = readFileSync(join(ROOT, 'deploy/grafana/kestrel.json'), 'utf8')
  const expressions = [...board.matchAll(/"expr":\s*"((?:[^"\\]|\\.)*)"/g)].map(
    ([, expr]) => JSON.parse(`"${expr}"`) as string,
  )

  it('in an alert rule, on the dashboard or in the manual is one that a process has', async () => {
    const test = await startTestApp()
    const text = await (await watched(test)).test.app.inject({ url: '/metrics', headers: { host: '127.0.0.1' } })
    await test.close()
    const known = new Set(
      [...text.body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, kind]) =>
        kind === 'histogram' ? [`${name}_count`, `${name}_sum`, `${name}_bucket`] : [name!],
      ),
    )
    const manual = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')
    const tabled = [...manual.matchAll(/^\| `(kestrel_\w+)/gm)].map(([, name]) => name!)
    const named = [...rules.map(({ expr }) => expr), ...expressions].flatMap(metricsIn)
    expect(expressions.length).toBeGreaterThan(10)
    expect([...new Set([...named, ...tabled])].filter((name) => name !== 'up' && !known.has(name))).toEqual([])
    expect(
      [...known].filter((name) => name.startsWith('kestrel_nodejs') || name.startsWith('kestrel_process')),
    ).toEqual([])
    expect(known).toContain('nodejs_eventloop_lag_seconds')
    expect(known).toContain('process_cpu_seconds_total')
  })
})
