// The notices that every admin gets: who joined, who left, and what else a stranger could have done.
import type { MailContent } from '../mail.ts'
import { facts, layOut, link, text } from './layout.ts'
import { type TypedFact, shownAddress, shownFact, shownName, shownNetwork, shownValue } from './shown-name.ts'

const ADVICE = 'If nobody of your team meant this, sign in, look at Team and API keys, and revoke what you do not know.'

/** One thing that happened in a business, and who did it. */
export function noticeMail(mail: {
  /** "An admin was invited": the subject, with the business after it. */
  what: string
  businessName: string
  about: readonly TypedFact[]
  by: string
  url: string
}): MailContent {
  return layOut({
    subject: `${mail.what}: ${shownName(mail.businessName)}`,
    title: mail.what,
    blocks: [
      facts(['Business', shownName(mail.businessName)], ...mail.about.map(shownFact), ['By', shownAddress(mail.by)]),
      text(ADVICE),
      link('Open the dashboard', mail.url),
    ],
  })
}

export function wrongCodesMail(mail: {
  businessName: string
  email: string
  browser: string
  ip: string
  count: number
}): MailContent {
  return layOut({
    subject: `A session was ended after ${mail.count} wrong codes: ${shownName(mail.businessName)}`,
    title: 'A session was ended',
    blocks: [
      text(`${mail.count} wrong confirm codes were entered in it, as by somebody who cannot read the mails.`),
      facts(
        ['Business', shownName(mail.businessName)],
        ['Session of', shownAddress(mail.email)],
        ['Browser', shownValue(mail.browser)],
        ['Address', shownNetwork(mail.ip)],
      ),
      text('Nothing was done with those codes. If it was not you, look at where you are signed in, under Team.'),
    ],
  })
}

export function newBrowserMail(mail: {
  businessName: string
  email: string
  browser: string
  ip: string
  url: string
}): MailContent {
  return layOut({
    subject: `A sign-in from a new browser: ${shownName(mail.businessName)}`,
    title: 'A sign-in from a new browser',
    blocks: [
      facts(
        ['Business', shownName(mail.businessName)],
        ['Who', shownAddress(mail.email)],
        ['Browser', shownValue(mail.browser)],
        ['Address', shownNetwork(mail.ip)],
      ),
      text(
        'If it was not them, they sign in again and end that session under Team. See to it that nobody else reads their mail.',
      ),
      link('Open the dashboard', mail.url),
    ],
  })
}

/** A longer list belongs in the audit log. */
const MOST_SHOWN = 20

export function digestMail(mail: {
  businessName: string
  /** The newest first; older ones may only be counted. */
  events: readonly { readonly words: string; readonly at: Date }[]
  count: number
}): MailContent {
  const { count } = mail
  const shown = mail.events.slice(0, MOST_SHOWN)
  const more = count - shown.length
  return layOut({
    subject: `${count} more ${count === 1 ? 'thing' : 'things'} happened: ${shownName(mail.businessName)}`,
    title: `${count} more ${count === 1 ? 'thing' : 'things'} happened`,
    blocks: [
      text('You had several mails about this business, so these come in one, the newest first:'),
      facts(...shown.map(({ words, at }) => [at.toISOString(), shownValue(words)] as const)),
      ...(more > 0 ? [text(`And ${more} more before these. The dashboard has them all, under Audit log.`)] : []),
      text(ADVICE),
    ],
  })
}
