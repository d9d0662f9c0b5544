import type { MailContent } from '../mail.ts'
import { facts, layOut, text } from './layout.ts'

export function invoiceMail(mail: {
  businessName: string
  number: string
  month: string
  total: string
  due: string
  lines: readonly (readonly [description: string, amount: string])[]
}): MailContent {
  return layOut({
    subject: `Invoice ${mail.number} for ${mail.month}: ${mail.total}`,
    title: `Invoice ${mail.number}`,
    blocks: [
      text(`For ${mail.businessName}, ${mail.month}. It is due on ${mail.due} and attached as a PDF.`),
      facts(...mail.lines, ['Total', mail.total]),
      text('The payouts behind each line are in the dashboard, under Invoices.'),
    ],
  })
}
