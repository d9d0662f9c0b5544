import type { MailContent } from '../mail.ts'
import { facts, layOut, text } from './layout.ts'

/** More than this is a list for the dashboard. */
const MOST_SHOWN = 10

export function undeliveredMail(mail: {
  businessName: string
  payouts: readonly (readonly [what: string, why: string])[]
}): MailContent {
  const count = mail.payouts.length
  const some = count === 1 ? 'A live payout' : `${count} live payouts`
  const more = count - MOST_SHOWN
  return layOut({
    subject: `${some} of ${mail.businessName} did not arrive`,
    title: `${some} did not arrive`,
    blocks: [
      facts(...mail.payouts.slice(0, MOST_SHOWN)),
      ...(more > 0 ? [text(`And ${more} more.`)] : []),
      text('The money is back in your wallet, or comes back as soon as the bank has sent it. Nobody was paid.'),
      text('The dashboard shows each of them step by step, under Payouts.'),
    ],
  })
}
