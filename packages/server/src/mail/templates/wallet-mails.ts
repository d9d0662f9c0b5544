import type { MailContent } from '../mail.ts'
import { facts, layOut, text } from './layout.ts'
import { shownName } from './shown-name.ts'

export function lowBalanceMail(mail: { businessName: string; available: string; threshold: string }): MailContent {
  return layOut({
    subject: `The live wallet of ${shownName(mail.businessName)} is low: ${mail.available}`,
    title: 'Your live wallet is low',
    blocks: [
      text(`${shownName(mail.businessName)} can pay out less than you wanted to keep.`),
      facts(['Available', mail.available], ['Warn below', mail.threshold]),
      text('Payouts that need more than is there are refused, and nothing of them is sent.'),
      text('How to top up is in the dashboard, under Funding; there you also change when you are told.'),
    ],
  })
}
