import type { MailContent } from '../mail.ts'
import { facts, layOut, text } from './layout.ts'
import { shownName } from './shown-name.ts'

interface AboutEndpoint {
  readonly businessName: string
  readonly environment: string
  /** Never the whole address: its path may be a secret. */
  readonly host: string
}

export function endpointFailingMail(mail: AboutEndpoint & { since: Date }): MailContent {
  return layOut({
    subject: `Webhooks of ${shownName(mail.businessName)} have not arrived for a day`,
    title: 'Your webhooks do not arrive',
    blocks: [
      text(`Nothing that we sent to this ${mail.environment} endpoint for a day was accepted.`),
      facts(['Endpoint', mail.host], ['Failing since', mail.since.toISOString()]),
      text('We go on trying. After five days without a delivery the endpoint is switched off.'),
      text('What we sent, and what was answered, is in the dashboard, under Developers, Webhooks.'),
    ],
  })
}

const REASONS = {
  gone: 'It answered 410, which says that it is gone for good.',
  asked: 'It asked for that, with the header webhook-delivery: disable.',
  failing: 'Nothing was delivered to it for five days.',
} as const

export function endpointDisabledMail(mail: AboutEndpoint & { reason: keyof typeof REASONS }): MailContent {
  return layOut({
    subject: `A webhook endpoint of ${shownName(mail.businessName)} was switched off`,
    title: 'A webhook endpoint was switched off',
    blocks: [
      text(`Nothing more is sent to this ${mail.environment} endpoint. ${REASONS[mail.reason]}`),
      facts(['Endpoint', mail.host]),
      text('Switch it on again in the dashboard, under Developers, Webhooks; there you can also send what it missed.'),
    ],
  })
}
