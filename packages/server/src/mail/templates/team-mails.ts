// Mails about who may do what: an invitation, a new business, and what happened to a key.
import type { MailContent } from '../mail.ts'
import { facts, layOut, link, text } from './layout.ts'
import { shownAddress, shownName, shownValue } from './shown-name.ts'

const MAY = {
  admin: 'You can see everything, send payouts and manage keys and the team.',
  viewer: 'You can see everything and change nothing.',
}

/**
 * To somebody who asked for nothing: the subject holds nothing that the business chose, and the mail only quotes its
 * name.
 */
export function invitationMail(mail: {
  businessName: string
  slug: string
  invitedBy: string
  role: 'admin' | 'viewer'
  url: string
}): MailContent {
  return layOut({
    subject: 'You are invited to a business on Kestrel Payouts',
    title: 'An invitation to Kestrel Payouts',
    blocks: [
      text('Somebody would like you to join their business. Nothing happens unless you accept.'),
      facts(
        ['Invited by', shownAddress(mail.invitedBy)],
        ['Business', shownName(mail.businessName)],
        ['Its short name', shownValue(mail.slug)],
        ['As', mail.role === 'admin' ? 'an admin' : 'a viewer'],
      ),
      text(MAY[mail.role]),
      link('See the invitation', mail.url),
      text('Sign in with this address; a code comes by mail. If you do not know who this is, ignore the mail.'),
    ],
  })
}

export function welcomeMail(mail: { businessName: string; dashboardUrl: string; docsUrl: string }): MailContent {
  return layOut({
    subject: `${shownName(mail.businessName)} is ready on Kestrel Payouts`,
    title: `${shownName(mail.businessName)} is ready`,
    blocks: [
      text('Your sandbox wallet holds 10000.00 USDC of test money, and your first sandbox key was shown to you.'),
      link('Open the dashboard', mail.dashboardUrl),
      link('Read the API reference', mail.docsUrl),
      text('To pay real money, start business verification in the dashboard.'),
    ],
  })
}

const EVENTS = {
  created: { verb: 'created', advice: 'If nobody of your team did this, revoke it now and look at your team’s list.' },
  changed: {
    verb: 'changed',
    advice: 'What it may be used for, or what it may pay, is different now. Look at it under API keys.',
  },
  rotated: { verb: 'rotated', advice: 'The old key works until the time above. Change it in your programs before.' },
  revoked: { verb: 'revoked', advice: 'It has stopped working. Programs that still use it are refused.' },
} as const

export function keyMail(mail: {
  event: keyof typeof EVENTS
  businessName: string
  environment: string
  keyPrefix: string
  label: string | null
  by: string
  worksUntil: Date | null
  keysUrl: string
}): MailContent {
  const { verb, advice } = EVENTS[mail.event]
  return layOut({
    subject: `A ${mail.environment} API key of ${shownName(mail.businessName)} was ${verb}`,
    title: `An API key was ${verb}`,
    blocks: [
      facts(
        ['Business', shownName(mail.businessName)],
        ['Environment', mail.environment],
        ['Key', `${mail.keyPrefix}…`],
        ['Label', mail.label === null ? 'none' : shownValue(mail.label)],
        ['By', shownAddress(mail.by)],
        ...(mail.worksUntil === null ? [] : ([['Old key works until', mail.worksUntil.toISOString()]] as const)),
      ),
      text(advice),
      link('See your keys', mail.keysUrl),
    ],
  })
}
