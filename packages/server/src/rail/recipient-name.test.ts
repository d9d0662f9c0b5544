import { expect, it } from 'vitest'

import { externalAccount } from './provider/recipient-words.ts'
import type { RecipientDetails } from './transfer.ts'
import { recipientName } from './recipient-name.ts'

const called = (type: RecipientDetails['type'], first_name: string, last_name: string): RecipientDetails => ({
  type,
  first_name,
  last_name,
  address: { line1: '1 High Street', city: 'Leeds', postal_code: 'LS1 4AP', region: 'Leeds' },
  bank: { bank_name: 'Monzo', sort_code: '040004', account_number: '12345678' },
})

it.each([
  ['business', 'Thistle & Reed', 'Ltd', 'Thistle & Reed Ltd'],
  ['business', 'Zizzi', '-', 'Zizzi'],
  ['individual', 'Amara', 'Okafor', 'Amara Okafor'],
  ['individual', 'Amara', '-', 'Amara -'],
] as const)('%s %s %s is called %s', (type, first, last, name) => {
  const recipient = called(type, first, last)
  expect(recipientName(recipient)).toBe(name)
  expect(externalAccount(recipient)).toMatchObject(
    type === 'business' ? { account_owner_name: name, business_name: name } : { account_owner_name: name },
  )
})
