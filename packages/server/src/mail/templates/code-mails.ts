// The mails that carry a code. The code comes first in the subject: a glance at the phone is enough.
import type { MailContent } from '../mail.ts'
import { code, facts, layOut, text, warning } from './layout.ts'
import { type TypedFact, shownFact, shownName, shownNetwork, shownValue } from './shown-name.ts'

const OPENS = {
  session: {
    title: 'Sign in to Kestrel Payouts',
    words: ['Enter this code to sign in. It works once, for ten minutes.'],
  },
  first_business: {
    title: 'Welcome to Kestrel Payouts',
    words: ['Enter this code to open an account. It works once, for ten minutes.'],
  },
  another_business: {
    title: 'Somebody would open another business in your name',
    words: [
      'This address has an account already. To use what you have, do not enter this code: sign in instead.',
      'It opens another business. Whoever enters it is signed in as you, to the businesses that you have too. It works once, for ten minutes.',
    ],
  },
} as const

export function signInMail(mail: {
  code: string
  browser: string
  ip: string
  /** What entering the code leads to. Anybody may ask for one, so nothing that they typed is in the mail. */
  opens: keyof typeof OPENS
}): MailContent {
  const { title, words } = OPENS[mail.opens]
  return layOut({
    subject: `${mail.code} is your Kestrel code`,
    title,
    blocks: [
      ...words.map(text),
      code(mail.code),
      text('It was asked for from:'),
      facts(['Browser', shownValue(mail.browser)], ['Address', shownNetwork(mail.ip)]),
      text('If that was not you, ignore this mail and tell nobody the code. Without it nobody gets in.'),
    ],
  })
}

export function confirmMail(mail: {
  code: string
  amountGbp: string
  recipientName: string
  accountLast4: string
  reference: string | null
  businessName: string
  /** The warnings, as sentences. */
  warnings: readonly string[]
}): MailContent {
  return layOut({
    subject: `${mail.code} confirms ${mail.amountGbp} GBP to ${shownName(mail.recipientName)}`,
    title: `Confirm a payment of ${mail.amountGbp} GBP`,
    blocks: [
      text(
        `${shownName(mail.businessName)} is about to pay real money. Enter this code to confirm exactly this payment:`,
      ),
      code(mail.code),
      facts(
        ['Amount', `${mail.amountGbp} GBP`],
        ['To', shownValue(mail.recipientName)],
        ['Account', `ending ${mail.accountLast4}`],
        ['Reference', mail.reference === null ? 'none' : shownValue(mail.reference)],
      ),
      ...mail.warnings.map((words) => warning(shownValue(words))),
      text('It works once, for five minutes. If anything above is not what you meant, do not enter it.'),
    ],
  })
}

/** For everything else that a code confirms. The title says what happens, such as "Create a live API key". */
export function doorMail(mail: {
  code: string
  title: string
  facts: readonly TypedFact[]
  businessName: string
}): MailContent {
  const doing = mail.title.charAt(0).toLowerCase() + mail.title.slice(1)
  return layOut({
    subject: `${mail.code} confirms: ${doing}`,
    title: mail.title,
    blocks: [
      text('Somebody who is signed in as you wants to do exactly this. Enter the code only if it is you:'),
      code(mail.code),
      facts(['Business', shownName(mail.businessName)], ...mail.facts.map(shownFact)),
      text(
        'It works once, for five minutes. If it was not you, tell nobody the code, sign in again, and sign out everywhere else, under Team.',
      ),
    ],
  })
}
