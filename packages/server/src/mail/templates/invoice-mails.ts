import type { MailContent } from '../mail.ts'
import { facts, layOut, text } from './layout.ts'
import { shownName, shownValue } from './shown-name.ts'

const HEADS =
  'Also attached is where your audit log ended when it was last signed. Keep it with the invoice: with it you can prove later that no entry before it was changed.'

export function invoiceMail(mail: {
  businessName: string
  number: string
  month: string
  total: string
  /** Null when it comes to nothing. */
  due: string | null
  /** The day on which it was paid; null while it is owed. */
  paid: string | null
  lines: readonly (readonly [description: string, amount: string])[]
  /** The signed heads of the audit log are attached as well. */
  hasHeads?: boolean
}): MailContent {
  return layOut({
    subject: `Invoice ${mail.number} for ${mail.month}: ${mail.total}`,
    title: `Invoice ${mail.number}`,
    blocks: [
      text(`For ${shownName(mail.businessName)}, ${mail.month}. ${owedInWords(mail)} attached as a PDF.`),
      facts(...mail.lines.map(([name, amount]) => [shownValue(name), amount] as const), ['Total', mail.total]),
      text('The payouts behind each line are in the dashboard, under Invoices.'),
      ...(mail.hasHeads === true ? [text(HEADS)] : []),
    ],
  })
}

function owedInWords({ paid, due }: { paid: string | null; due: string | null }): string {
  if (paid !== null) return `It was paid on ${paid} and is`
  return due === null ? 'Nothing is to be paid; it is' : `It is due on ${due} and`
}

export function voidInvoiceMail(mail: {
  businessName: string
  number: string
  month: string
  total: string
}): MailContent {
  return layOut({
    subject: `Invoice ${mail.number} is void: nothing is to be paid`,
    title: `Invoice ${mail.number} is void`,
    blocks: [
      text(
        `The invoice for ${shownName(mail.businessName)}, ${mail.month}, over ${mail.total}, has been written off. Please do not pay it, and keep this mail with it.`,
      ),
      text('The dashboard shows it as void, under Invoices, and its PDF says so too.'),
    ],
  })
}
