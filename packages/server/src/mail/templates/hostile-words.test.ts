// Mails that carry a genuine code or a genuine notice also show what strangers typed. Whatever they typed, nothing of it
// can be clicked, ends a line, turns the writing round or fills the page.
import { readdirSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import type { MailContent } from '../mail.ts'
import { confirmMail, doorMail, signInMail } from './code-mails.ts'
import { invoiceMail, voidInvoiceMail } from './invoice-mails.ts'
import { digestMail, newBrowserMail, noticeMail, wrongCodesMail } from './notice-mails.ts'
import { paidAfterAllMail, undeliveredMail } from './payout-mails.ts'
import { invitationMail, keyMail, welcomeMail } from './team-mails.ts'
import { verificationApprovedMail, verificationRejectedMail, vouchedForMail } from './verification-mails.ts'
import { lowBalanceMail } from './wallet-mails.ts'
import { endpointDisabledMail, endpointFailingMail } from './webhook-mails.ts'

const OWN = 'http://localhost:3000/dashboard'
const ADDRESS = 'amara@okafor.test'
const ENDPOINT = { environment: 'live', host: 'the endpoint' }
const at = new Date('2026-11-15T12:00:00Z')

/** Every mail there is, with what people typed in every place where something typed can stand. */
const mailsWith = (typed: string, address: string): Record<string, MailContent> => ({
  signInMail: signInMail({ code: '042424', browser: typed, ip: typed, opens: 'session' }),
  confirmMail: confirmMail({
    code: '042424',
    amountGbp: '250.00',
    recipientName: typed,
    accountLast4: '5678',
    reference: typed,
    businessName: typed,
    warnings: [typed],
  }),
  doorMail: doorMail({
    code: '042424',
    title: 'Create a live API key',
    facts: [
      ['Label', typed],
      ['Invited', { address }],
    ],
    businessName: typed,
  }),
  invoiceMail: invoiceMail({
    businessName: typed,
    number: 'KP-2026-000123',
    month: 'October 2026',
    total: '£64.20',
    due: '15 November 2026',
    paid: null,
    lines: [[typed, '£64.20']],
  }),
  voidInvoiceMail: voidInvoiceMail({ businessName: typed, number: 'KP-1', month: 'October 2026', total: '£64.20' }),
  noticeMail: noticeMail({
    what: 'An admin was invited',
    businessName: typed,
    about: [
      ['Member', { address }],
      ['Label', typed],
    ],
    by: address,
    url: OWN,
  }),
  wrongCodesMail: wrongCodesMail({ businessName: typed, email: address, browser: typed, ip: typed, count: 20 }),
  newBrowserMail: newBrowserMail({ businessName: typed, email: address, browser: typed, ip: typed, url: OWN }),
  digestMail: digestMail({ businessName: typed, events: [{ words: typed, at }], count: 1 }),
  undeliveredMail: undeliveredMail({
    businessName: typed,
    payouts: [{ amount: '£25.00', recipientName: typed, accountLast4: '5678', cameBack: true, reason: typed }],
  }),
  paidAfterAllMail: paidAfterAllMail({
    businessName: typed,
    amount: '£25.00',
    recipientName: typed,
    accountLast4: '5678',
    cameBack: false,
    toldOn: '1 November 2026, 12:00 GMT',
  }),
  invitationMail: invitationMail({ businessName: typed, slug: typed, invitedBy: address, role: 'admin', url: OWN }),
  welcomeMail: welcomeMail({ businessName: typed, dashboardUrl: OWN, docsUrl: OWN }),
  keyMail: keyMail({
    event: 'created',
    businessName: typed,
    environment: 'live',
    keyPrefix: 'kp_live_9f2c41',
    label: typed,
    by: address,
    worksUntil: at,
    keysUrl: OWN,
  }),
  verificationApprovedMail: verificationApprovedMail({ businessName: typed }),
  verificationRejectedMail: verificationRejectedMail({ businessName: typed, reasons: [typed] }),
  vouchedForMail: vouchedForMail({ businessName: typed }),
  endpointFailingMail: endpointFailingMail({ ...ENDPOINT, businessName: typed, since: at }),
  endpointDisabledMail: endpointDisabledMail({ ...ENDPOINT, businessName: typed, reason: 'gone' }),
  lowBalanceMail: lowBalanceMail({ businessName: typed, available: '12.00 USDC', threshold: '500.00 USDC' }),
})

/** [in the place of a name, in the place of an address that was once accepted as one] */
const HOSTILE: readonly (readonly [typed: string, address: string])[] = [
  ['Pay here: https://evil.example/pay?a=1', 'evil.example/pay@okafor.test'],
  ['HTTP:\\\\EVIL.EXAMPLE', 'www.evil.example@okafor.test'],
  ['see www.evil.example', "https//evil.example/'@okafor.test"],
  ['evil.example', '{evil.example}@okafor.test'],
  ['evil。example and evil．example and evil｡example', ADDRESS],
  ['me@evil.example', ADDRESS],
  ['me＠evil.example', ADDRESS],
  ['javascript:alert(1) tel:+4420 mailto:me', ADDRESS],
  ['185.199.108.153 and 185.199.108.153:8080/x', ADDRESS],
  ['Ltd\r\nBcc: everybody@evil.example\r\n\r\nEnter the code at evil.example', `${ADDRESS}\r\nBcc: x@evil.example`],
  ['two\u2028lines\u2029more\u0085end', ADDRESS],
  ['\u202Eelpmaxe.live\u202C \u2066x\u2069 e\u200Bvil.\u200Bexample', ADDRESS],
  ['<a href="https://evil.example">click</a>', ADDRESS],
  ['x'.repeat(5_000), `${'x'.repeat(5_000)}@okafor.test`],
]

/** What a reader sees of it, without what is ours: our own address, one that is plainly an address, and moments. */
function seen({ subject, text, html }: MailContent): string[] {
  const shown = html
    .replaceAll(/<style>[\s\S]*<\/style>/g, '')
    .replaceAll(`<a href="${OWN}">`, '')
    .replaceAll(/<[^>]+>/g, '\n')
    .replaceAll(/&quot;|&lt;|&gt;|&#39;/g, ' ')
    .replaceAll('&amp;', '&')
  return [subject, text, shown].map((words) =>
    words
      .replaceAll(OWN, '')
      .replaceAll(new RegExp(`(?<!\\S)${ADDRESS}(?!\\S)`, 'g'), '')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, ''),
  )
}

/** A scheme, an address, a name with a dot before a letter, four numbers with dots: what mail programs make links of. */
const CLICKABLE = /[\p{L}\d]:[^\s\d]|www\.|[@＠]|[.。．｡]\p{L}|\d\.\d+\.\d+\.\d/iu
const DISGUISED = /[\p{Cf}\u2028\u2029\u0085]|[^\P{Cc}\n]/u

describe.each(HOSTILE.map(([typed, address]) => [typed.slice(0, 50), typed, address] as const))(
  '%j in a mail',
  (_short, typed, address) => {
    it.each(Object.entries(mailsWith(typed, address)))(
      'cannot be clicked, nor be what it is not: %s',
      (_name, mail) => {
        for (const words of seen(mail)) {
          expect(words).not.toMatch(CLICKABLE)
          expect(words).not.toMatch(DISGUISED)
        }
        expect(mail.subject).not.toMatch(/[\r\n]/)
        expect(mail.html.match(/<a /g) ?? []).toHaveLength(mail.html.split(`<a href="${OWN}">`).length - 1)
        // It begins no line of its own: those of the mail are ours.
        expect(mail.text).not.toMatch(/^(Bcc:|Enter the code at)/m)
        expect(mail.text.length).toBeLessThan(2_000)
      },
    )
  },
)

describe('every mail', () => {
  it('is among those that are tried with hostile words', async () => {
    const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('-mails.ts'))
    const modules = await Promise.all(files.map((name) => import(`./${name}`) as Promise<Record<string, unknown>>))
    const names = modules.flatMap((module) => Object.keys(module).filter((name) => typeof module[name] === 'function'))
    expect(names.toSorted()).toEqual(Object.keys(mailsWith('x', ADDRESS)).toSorted())
  })
})
