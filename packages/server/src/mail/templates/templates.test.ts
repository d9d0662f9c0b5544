import { describe, expect, it } from 'vitest'

import { confirmMail, doorMail, signInMail } from './code-mails.ts'
import { digestMail, noticeMail, wrongCodesMail } from './notice-mails.ts'
import { invoiceMail, voidInvoiceMail } from './invoice-mails.ts'
import { paidAfterAllMail, undeliveredMail } from './payout-mails.ts'
import { invitationMail, keyMail, welcomeMail } from './team-mails.ts'
import { lowBalanceMail } from './wallet-mails.ts'

const NASTY = '<img src=x onerror=alert(1)>\r\nBcc: everybody@example.test'

const key = {
  event: 'rotated',
  businessName: NASTY,
  environment: 'live',
  keyPrefix: 'kp_live_9f2c41',
  label: NASTY,
  by: NASTY,
  worksUntil: new Date('2026-11-15T12:00:00Z'),
  keysUrl: 'http://localhost:3000/dashboard/keys?a=1&b="2"',
} as const

const confirmation = {
  code: '042424',
  amountGbp: '250.00',
  recipientName: 'Amara Okafor',
  accountLast4: '5678',
  reference: 'Invoice 1042',
  businessName: 'Thistle Market',
  warnings: [],
}

const MAILS = {
  'to sign in': signInMail({ code: '042424', browser: NASTY, ip: NASTY, opens: 'session' }),
  'to sign up': signInMail({ code: '042424', browser: NASTY, ip: '127.0.0.1', opens: 'another_business' }),
  'to confirm a payout': confirmMail({
    ...confirmation,
    recipientName: NASTY,
    reference: NASTY,
    businessName: NASTY,
    warnings: [NASTY],
  }),
  'that invites': invitationMail({ businessName: NASTY, slug: NASTY, invitedBy: NASTY, role: 'viewer', url: NASTY }),
  'that confirms anything else': doorMail({
    code: '042424',
    title: 'Invite an admin',
    facts: [[NASTY, NASTY]],
    businessName: NASTY,
  }),
  'about the team': noticeMail({
    what: 'An admin was invited',
    businessName: NASTY,
    about: [[NASTY, NASTY]],
    by: NASTY,
    url: NASTY,
  }),
  'about wrong codes': wrongCodesMail({ businessName: NASTY, email: NASTY, browser: NASTY, ip: NASTY, count: 20 }),
  'about several things': digestMail({ businessName: NASTY, events: [{ words: NASTY, at: new Date(0) }], count: 1 }),
  'about a key': keyMail(key),
  'with an invoice': invoiceMail({
    businessName: NASTY,
    number: 'KP-2026-000123',
    month: 'October 2026',
    total: '£64.20',
    due: '15 November 2026',
    paid: null,
    lines: [[NASTY, '£64.20']],
  }),
  'about a void invoice': voidInvoiceMail({
    businessName: NASTY,
    number: 'KP-2026-000123',
    month: 'October 2026',
    total: '£64.20',
  }),
  'about payouts that did not arrive': undeliveredMail({
    businessName: NASTY,
    payouts: [{ amount: '£25.00', recipientName: NASTY, accountLast4: '5678', cameBack: false, reason: NASTY }],
  }),
  'about a payout that arrived after all': paidAfterAllMail({
    businessName: NASTY,
    amount: '£25.00',
    recipientName: NASTY,
    accountLast4: '5678',
    cameBack: true,
    toldOn: '1 November 2026, 12:00 GMT',
  }),
  'about a low balance': lowBalanceMail({ businessName: NASTY, available: '12.00 USDC', threshold: '500.00 USDC' }),
  'that welcomes': welcomeMail({ businessName: NASTY, dashboardUrl: NASTY, docsUrl: NASTY }),
}

describe.each(Object.entries(MAILS))('a mail %s', (_name, mail) => {
  it('shows whatever somebody typed as text and nothing else', () => {
    expect(mail.html).not.toContain('<img')
    expect(mail.html.match(/<a href="[^"<>]*">/g)?.length ?? 0).toBe(mail.html.split('<a ').length - 1)
  })

  it('has a subject of one line', () => {
    expect(mail.subject).not.toMatch(/[\r\n]/)
    expect(mail.subject.trim()).not.toBe('')
  })

  it('says the same in plain text, and can be read in the dark', () => {
    expect(mail.text.length).toBeGreaterThan(80)
    expect(mail.html).toContain('prefers-color-scheme: dark')
    expect(mail.html).toContain('<meta name="color-scheme" content="light dark">')
  })

  it('loads nothing from anywhere', () => {
    expect(mail.html).not.toMatch(/<(img|script|link|iframe)|url\(|@import/)
  })
})

describe('a code', () => {
  it('is the first word of the subject, and says which browser asked from where', () => {
    const mail = signInMail({ code: '042424', browser: 'Firefox on Linux', ip: '203.0.113.9', opens: 'session' })
    expect(mail.subject).toMatch(/^042424 /)
    expect(mail.text).toContain('042424')
    expect(mail.text).toContain('Browser: Firefox on Linux')
    expect(mail.text).toContain('Address: 203.0.113.9')
  })

  it('that confirms names the amount and the payee, in subject and body', () => {
    const mail = confirmMail(confirmation)
    expect(mail.subject).toBe('042424 confirms 250.00 GBP to “Amara Okafor”')
    for (const words of ['250.00 GBP', 'Amara Okafor', 'ending 5678', 'Invoice 1042', 'Thistle Market']) {
      expect(mail.text).toContain(words)
      expect(mail.html).toContain(words)
    }
  })

  it('that confirms says what is worth a second look', () => {
    const warnings = ['Different account from last time (ending 4958).']
    const mail = confirmMail({ ...confirmation, warnings })
    expect(mail.text).toContain(`! ${warnings[0]}`)
    expect(mail.html).toContain(`<p class="warning">${warnings[0]}</p>`)
    expect(confirmMail(confirmation).html).not.toContain('<p class="warning">')
  })
})
