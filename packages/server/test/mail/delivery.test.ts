// Mail reaches a real mail server: once, after a crash, after an outage, and not when it is refused for good.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { deliverMails, tidyMailbox } from '../../src/domain/mail/deliver-mails.ts'
import { queueMail } from '../../src/domain/mail/queue-mail.ts'
import { readMailbox } from '../../src/domain/mail/read-mailbox.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { aPartner, sql } from '../support/fixtures.ts'
import { type TestMailServer, startMailServer } from '../support/mail-server.ts'
import { signedIn } from '../support/sessions.ts'

let server: TestMailServer
let test: TestApp
beforeAll(async () => {
  server = await startMailServer()
  test = await startTestApp({ smtp: { url: server.url, from: 'Kestrel <payouts@kestrel.test>' } })
})
afterAll(async () => {
  await test.close()
  await server.close()
})
beforeEach(async () => {
  server.received.length = 0
  server.refuseWith = null
  await sql(test, 'delete from mails')
})

const aMail = (subject = 'A subject') => ({ to: 'amara@thistle.test', subject, text: 'Some text', html: '<p>Some</p>' })

function queue(
  own: TestApp,
  mail = aMail(),
  { usefulUntil = null, kind = 'test' }: { usefulUntil?: Date | null; kind?: string } = {},
): Promise<void> {
  return own.deps.db.inTransaction(async (tx) => queueMail(tx, own.deps, { kind, mail, usefulUntil }))
}

const waiting = () =>
  sql<{ attempts: number; nextTryAt: Date }>(test, 'select attempts, next_try_at as "nextTryAt" from mails')

describe('a mail', () => {
  it('is sent as soon as it is committed, with text and HTML, and is not kept', async () => {
    await queue(test)
    test.deps.post.wake()
    await test.deps.post.settled()
    expect(server.received).toHaveLength(1)
    const [{ to, raw } = { to: [], raw: '' }] = server.received
    expect(to).toEqual(['amara@thistle.test'])
    expect(raw).toMatch(/^From: Kestrel <payouts@kestrel.test>\r$/m)
    expect(raw).toMatch(/^Subject: A subject\r$/m)
    expect(raw).toContain('Content-Type: text/plain')
    expect(raw).toContain('Content-Type: text/html')
    expect(await waiting()).toEqual([])
  })

  it('is not sent when its transaction comes to nothing', async () => {
    const failing = test.deps.db.inTransaction(async (tx) => {
      queueMail(tx, test.deps, { kind: 'test', mail: aMail(), usefulUntil: null })
      throw new Error('changed our mind')
    })
    await expect(failing).rejects.toThrow('changed our mind')
    expect(await deliverMails(test.deps)).toBe(0)
  })

  it('that nobody sent, because the process died, is sent by the worker', async () => {
    await queue(test)
    expect(await deliverMails(test.deps)).toBe(1)
    expect(server.received).toHaveLength(1)
  })

  it('is sent once when eight workers look at the same time', async () => {
    for (let count = 0; count < 5; count++) await queue(test, aMail(`Mail ${count}`))
    await Promise.all(Array.from({ length: 8 }, () => deliverMails(test.deps)))
    const subjects = server.received.map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw)?.[1] ?? '').toSorted()
    expect(subjects).toEqual(['Mail 0', 'Mail 1', 'Mail 2', 'Mail 3', 'Mail 4'])
  })

  it('that was claimed by a worker which then died is sent later', async () => {
    await queue(test)
    await sql(test, `update mails set attempts = 1, next_try_at = $1`, [new Date(test.clock.now().getTime() + 90_000)])
    expect(await deliverMails(test.deps)).toBe(0)
    test.clock.advance(91_000)
    expect(await deliverMails(test.deps)).toBe(1)
    expect(server.received).toHaveLength(1)
  })

  it('waits longer each time while the mail server refuses for now, and arrives in the end with its own date', async () => {
    server.refuseWith = { responseCode: 451 }
    // Otherwise the mail server's own time would be a date as good as this one's.
    test.clock.advance(24 * 60 * 60_000)
    await queue(test)
    const [{ writtenAt }] = (await sql<{ writtenAt: Date }>(test, 'select created_at as "writtenAt" from mails')) as [
      { writtenAt: Date },
    ]
    const pauses: number[] = []
    for (let attempt = 0; attempt < 4; attempt++) {
      expect(await deliverMails(test.deps)).toBe(1)
      const [row] = await waiting()
      const pause = row!.nextTryAt.getTime() - test.clock.now().getTime()
      pauses.push(Math.round(pause / 5_000) * 5)
      test.clock.advance(pause + 1)
    }
    expect(pauses).toEqual([5, 10, 20, 40])
    server.refuseWith = null
    expect(await deliverMails(test.deps)).toBe(1)
    expect(server.received).toHaveLength(1)
    // What it says was true then, such as that an invoice is owed.
    const date = /^Date: (.*)\r$/m.exec(server.received[0]!.raw)?.[1] ?? ''
    expect(Date.parse(date)).toBe(Math.floor(writtenAt.getTime() / 1_000) * 1_000)
    expect(await waiting()).toEqual([])
  })

  it('keeps nobody else’s back while the mail server puts off those of one recipient', async () => {
    server.refuseWith = { responseCode: 451, to: 'later@made-up.test' }
    for (let count = 0; count < 25; count++) await queue(test, { ...aMail(), to: 'later@made-up.test' })
    await queue(test)
    test.deps.post.wake()
    await test.deps.post.settled()
    expect(server.received.flatMap(({ to }) => to)).toEqual(['amara@thistle.test'])
    expect(await waiting()).toHaveLength(25)
  })

  it('of a recipient who is put off does not say that mail is stuck, and one that nobody takes does', async () => {
    const queues = async () => {
      const { body } = await test.app.inject({ url: '/metrics', headers: { host: '127.0.0.1:3000' } })
      const figure = (name: string) => Number(new RegExp(`^kestrel_mail_${name} (.*)$`, 'm').exec(body)![1])
      return { queue: figure('queue'), putOff: figure('put_off'), oldest: figure('queue_oldest_timestamp_seconds') }
    }
    server.refuseWith = { responseCode: 451, to: 'later@made-up.test' }
    const start = Math.floor(test.clock.now().getTime() / 1_000)
    await queue(test, { ...aMail(), to: 'later@made-up.test' }, { kind: 'invitation' })
    await deliverMails(test.deps)
    expect(await queues()).toEqual({ queue: 0, putOff: 1, oldest: 0 })
    // Whatever else keeps it back later on, the mails beside it tell of that.
    const port = Number(new URL(server.url).port)
    await server.close()
    test.clock.advance(20_000)
    await queue(test)
    await expect(deliverMails(test.deps)).rejects.toThrow('could not take the mail')
    const stuck = await queues()
    expect(stuck).toMatchObject({ queue: 1, putOff: 1 })
    expect(stuck.oldest).toBeGreaterThanOrEqual(start + 20)
    server = await startMailServer(port)
    test.clock.advance(20_000)
    expect(await deliverMails(test.deps)).toBe(2)
    expect(await queues()).toEqual({ queue: 0, putOff: 0, oldest: 0 })
  })

  it('waits while there is no mail server at all', async () => {
    const port = Number(new URL(server.url).port)
    await server.close()
    await queue(test)
    test.deps.post.wake()
    await test.deps.post.settled()
    expect(await waiting()).toMatchObject([{ attempts: 1 }])
    server = await startMailServer(port)
    test.clock.advance(10_000)
    expect(await deliverMails(test.deps)).toBe(1)
    expect(server.received).toHaveLength(1)
  })

  it('waits while the mail server refuses the sender, which is ours to repair', async () => {
    server.refuseSenderWith = { responseCode: 553 }
    await queue(test)
    await expect(deliverMails(test.deps)).rejects.toThrow('could not take the mail: EENVELOPE 553')
    expect(await waiting()).toMatchObject([{ attempts: 1 }])
    server.refuseSenderWith = null
    test.clock.advance(10_000)
    expect(await deliverMails(test.deps)).toBe(1)
    expect(server.received).toHaveLength(1)
  })

  it('that is refused for good is given up at once', async () => {
    server.refuseWith = { responseCode: 550 }
    await queue(test)
    expect(await deliverMails(test.deps)).toBe(1)
    expect(await waiting()).toEqual([])
  })

  it('that is refused is one alarm for its kind, and none where somebody made the address up', async () => {
    const { id } = await aPartner(test)
    const { email } = await signedIn(test, { id })
    server.refuseWith = { responseCode: 550 }
    for (const to of ['nobody@made-up.test', email, email]) {
      await queue(test, { ...aMail(), to }, { kind: 'sign_in_code' })
    }
    await queue(test, { ...aMail(), to: 'nobody@made-up.test' }, { kind: 'invitation' })
    await queue(test, { ...aMail(), to: 'accounts@elsewhere.test' }, { kind: 'invoice' })
    await sql(test, 'delete from alarms')
    expect(await deliverMails(test.deps)).toBe(5)
    await test.deps.alarms.settled()
    expect(await waiting()).toEqual([])
    expect(await sql(test, 'select about, count from alarms order by about')).toEqual([
      { about: { kind: 'invoice' }, count: 1n },
      { about: { kind: 'sign_in_code' }, count: 2n },
    ])
  })

  it('that has become pointless is not sent any more', async () => {
    await queue(test, aMail(), { usefulUntil: new Date(test.clock.now().getTime() + 1_000) })
    test.clock.advance(1_001)
    expect(await deliverMails(test.deps)).toBe(1)
    expect(server.received).toEqual([])
    expect(await waiting()).toEqual([])
  })

  it('cannot be read from the database without the key', async () => {
    await queue(test, aMail('424242 is your Kestrel code'))
    const [row] = await sql<{ text: string }>(test, `select mails::text as text from mails`)
    expect(Buffer.from(/\\x([0-9a-f]+)/.exec(row!.text)![1]!, 'hex').includes('424242')).toBe(false)
    expect(row!.text).not.toContain('amara')
  })
})

describe('without a mail server', () => {
  it('mail is kept, the latest 200 of it, the newest first', async () => {
    const own = await startTestApp()
    for (let count = 0; count < 203; count++) {
      own.clock.advance(1)
      await queue(own, aMail(`Mail ${count}`))
    }
    await tidyMailbox(own.deps)
    const subjects = (await readMailbox(own.deps)).map(({ subject }) => subject)
    expect(subjects).toHaveLength(200)
    expect([subjects[0], subjects.at(-1)]).toEqual(['Mail 202', 'Mail 3'])
    const [{ count } = { count: 0n }] = await sql<{ count: bigint }>(own, 'select count(*) from mails')
    expect(count).toBe(200n)
    await own.close()
  })
})
