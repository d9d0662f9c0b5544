// The mail of an invoice as a mail server gets it: the document, and the signed heads of the audit log, which a business keeps.
import { afterAll, beforeAll, expect, it } from 'vitest'

import { parseMonth } from '../../src/core/london-month.ts'
import { signHeads } from '../../src/domain/audit/sign-heads.ts'
import { issueInvoices } from '../../src/domain/billing/issue-invoices.ts'
import { mailInvoices } from '../../src/domain/billing/mail-invoices.ts'
import { deliverMails } from '../../src/domain/mail/deliver-mails.ts'
import { createSmtpMailer } from '../../src/mail/smtp-mailer.ts'
import { seal } from '../audit/a-log.ts'
import { aPartner, get, inLive, sql } from '../support/fixtures.ts'
import { type TestMailServer, startMailServer } from '../support/mail-server.ts'
import { type BillingHouse, paid, startBilling } from './live-bank.ts'

let house: BillingHouse
let server: TestMailServer
beforeAll(async () => {
  ;[house, server] = await Promise.all([startBilling(), startMailServer()])
})
afterAll(async () => {
  await house.close()
  await server.close()
})

/** The parts of a mail by their file names, as they were before they were packed. */
function filesIn(raw: string): ReadonlyMap<string, Buffer> {
  const boundary = /boundary="([^"]+)"/.exec(raw)![1]!
  const files = raw.split(`--${boundary}`).flatMap((part) => {
    const [head = '', body = ''] = part.split(/\r?\n\r?\n/, 2)
    const name = /filename="?([^"\s;]+)/.exec(head)?.[1]
    return name === undefined ? [] : ([[name, Buffer.from(body, 'base64')]] as const)
  })
  return new Map(files)
}

it('has the newest signed head of each chain attached, as the API shows it', async () => {
  const { test, bank } = house
  bank.says = { state: 'settled' }
  test.clock.set('2026-06-10T12:00:00Z')
  const live = await inLive(test, await aPartner(test), '1000.00')
  await sql(test, `update partners set billing_email = 'kept@thistle.test' where id = $1`, [live.id])
  await paid(test, live, '250.00')
  await test.deps.activity.flush()
  await seal(test)
  await signHeads(test.deps)
  test.clock.set('2026-07-01T06:00:00Z')
  const issued = await issueInvoices(test.deps, parseMonth('2026-06')!)
  const { number } = issued.find(({ slug }) => slug === live.slug)!
  const mailer = createSmtpMailer({ url: server.url, from: 'billing@kestrel.test' })
  const deps = { ...test.deps, mailer, post: { ...test.deps.post, wake: () => {} } }
  await mailInvoices(deps)
  while ((await deliverMails(deps)) > 0);
  mailer.close()

  const mail = server.received.find(({ to }) => to.includes('kept@thistle.test'))!
  const files = filesIn(mail.raw)
  expect([...files.keys()]).toEqual([`${number}.pdf`, 'audit-log-heads.json'])
  expect(files.get(`${number}.pdf`)!.subarray(0, 5).toString()).toBe('%PDF-')
  const kept = JSON.parse(files.get('audit-log-heads.json')!.toString()) as { data: { chain: string }[] }
  const shown = (await get(test, live, '/v1/activity/heads?chain=live')).json<{ data: object[] }>()
  expect(kept.data.find(({ chain }) => chain === 'live')).toEqual(shown.data[0])
  expect(shown.data).toHaveLength(1)
})
