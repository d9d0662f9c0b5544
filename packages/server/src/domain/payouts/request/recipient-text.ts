// A recipient as the text that is sealed: a line per field, in a fixed order and without names, in a third of what JSON takes.
import type { RecipientDetails } from '../../../rail/transfer.ts'
import { canonicalText } from '../../idempotency/fingerprint.ts'

const TYPES = { i: 'individual', b: 'business' } as const

/** A new field has no line yet, and the compiler asks for one. */
type Field =
  | Exclude<keyof RecipientDetails, 'type' | 'address' | 'bank'>
  | keyof RecipientDetails['address']
  | keyof RecipientDetails['bank']

/** As JSON, which begins with a brace and no letter, where a line would not say it: empty text is not the same as none. */
export function recipientText(recipient: RecipientDetails): string {
  const { address, bank } = recipient
  const lines: Readonly<Record<Field, string | undefined>> = {
    first_name: recipient.first_name,
    last_name: recipient.last_name,
    email: recipient.email,
    line1: address.line1,
    line2: address.line2,
    city: address.city,
    postal_code: address.postal_code,
    // Who leaves the region out means the town.
    region: address.region === address.city ? undefined : address.region,
    bank_name: bank.bank_name,
    sort_code: bank.sort_code,
    account_number: bank.account_number,
  }
  const inOrder = Object.values(lines)
  if (inOrder.some((line) => line === '' || line?.includes('\n'))) return canonicalText({ ...recipient })
  return `${recipient.type === 'individual' ? 'i' : 'b'}\n${inOrder.join('\n')}`
}

export function recipientOfText(text: string): RecipientDetails {
  if (text.startsWith('{')) return JSON.parse(text) as RecipientDetails
  const lines = text.split('\n')
  const [type, first_name, last_name, email, line1, line2, city, postal_code, region] = lines as string[] & TextLines
  const [bank_name, sort_code, account_number] = lines.slice(9) as TextLines
  return {
    type: TYPES[type as keyof typeof TYPES],
    first_name,
    last_name,
    ...(email === '' ? {} : { email }),
    address: {
      line1,
      ...(line2 === '' ? {} : { line2 }),
      city,
      postal_code,
      region: region === '' ? city : region,
    },
    bank: { bank_name, sort_code, account_number },
  }
}

type TextLines = [string, string, string, string, string, string, string, string, string]
