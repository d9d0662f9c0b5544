import type { MailContent } from '../mail.ts'
import { facts, layOut, text } from './layout.ts'
import { shownName, shownValue } from './shown-name.ts'

/** A longer list belongs in the dashboard. */
const MOST_SHOWN = 10

interface Undelivered {
  readonly amount: string
  readonly recipientName: string
  readonly accountLast4: string
  readonly cameBack: boolean
  /** In the bank's words. */
  readonly reason: string | null
}

export function undeliveredMail(mail: { businessName: string; payouts: readonly Undelivered[] }): MailContent {
  const count = mail.payouts.length
  const some = count === 1 ? 'A live payout' : `${count} live payouts`
  const more = count - MOST_SHOWN
  return layOut({
    subject: `${some} of ${shownName(mail.businessName)} did not arrive`,
    title: `${some} did not arrive`,
    blocks: [
      facts(...mail.payouts.slice(0, MOST_SHOWN).map(inWords)),
      ...(more > 0 ? [text(`And ${more} more.`)] : []),
      text('The money is back in your wallet, or comes back as soon as the bank has sent it. Nobody was paid.'),
      text('The dashboard shows each of them step by step, under Payouts.'),
    ],
  })
}

function inWords({ amount, recipientName, accountLast4, cameBack, reason }: Undelivered): readonly [string, string] {
  const what = cameBack ? 'Came back' : 'Failed'
  return [
    `${amount} to ${shownName(recipientName)}, account ending ${accountLast4}`,
    reason === null ? what : `${what}: ${shownValue(reason)}`,
  ]
}

/** The bank had said that it did not arrive, and takes that back. */
export function paidAfterAllMail(mail: {
  businessName: string
  amount: string
  recipientName: string
  accountLast4: string
  cameBack: boolean
  /** When they were told that it had not arrived. */
  toldOn: string
}): MailContent {
  const before = mail.cameBack ? 'come back' : 'failed'
  return layOut({
    subject: `A live payout of ${shownName(mail.businessName)} has arrived after all`,
    title: 'A live payout has arrived after all',
    blocks: [
      facts([
        `${mail.amount} to ${shownName(mail.recipientName)}, account ending ${mail.accountLast4}`,
        `Completed. On ${mail.toldOn} the bank had said that it had ${before}.`,
      ]),
      text('The bank has taken that back: the recipient has the money, and none of it comes back to your wallet.'),
      text('If you have paid it again meanwhile, the recipient has it twice: ask for one of the two.'),
    ],
  })
}
