import type { MailContent } from '../mail.ts'
import { facts, layOut, text } from './layout.ts'
import { shownName, shownValue } from './shown-name.ts'

export function verificationApprovedMail({ businessName }: { businessName: string }): MailContent {
  return layOut({
    subject: `${shownName(businessName)} is verified: live payouts are open`,
    title: 'Your business is verified',
    blocks: [
      text(
        `The bank has approved ${shownName(businessName)}. Its live wallet is opened now, which takes a minute or so.`,
      ),
      text('How to top it up is in the dashboard, under Funding, and live keys are made under API keys.'),
      text('From today the monthly account and the verification stand on your invoices.'),
    ],
  })
}

export function verificationRejectedMail(mail: { businessName: string; reasons: readonly string[] }): MailContent {
  const { businessName, reasons } = mail
  return layOut({
    subject: `${shownName(businessName)} was not verified by the bank`,
    title: 'The bank did not verify your business',
    blocks: [
      text(
        `The bank has looked at ${shownName(businessName)} and did not approve it. Nothing is charged, and sandbox goes on as before.`,
      ),
      reasons.length === 0
        ? text('It gave no reason. Whoever runs this service can ask for one.')
        : facts(...reasons.map((reason) => ['The bank says', shownValue(reason)] as const)),
      text(
        'You can start again in the dashboard, under Compliance: there are new links, and nothing of the first try is lost.',
      ),
    ],
  })
}

export function vouchedForMail({ businessName }: { businessName: string }): MailContent {
  return layOut({
    subject: `${shownName(businessName)} may prepare for live`,
    title: 'You may prepare for live',
    blocks: [
      text(`Whoever runs this service vouches for ${shownName(businessName)}: live API keys can be made now.`),
      text(
        'Its live wallet is not open yet, so nothing can be topped up or paid, and nothing is charged. You get another mail when it is.',
      ),
    ],
  })
}
