import { describe, expect, it } from 'vitest'

import type { RecipientDetails } from '../../../rail/transfer.ts'
import { canonicalText } from '../../idempotency/fingerprint.ts'
import { recipientOfText, recipientText } from './recipient-text.ts'

const RECIPIENT: RecipientDetails = {
  type: 'individual',
  first_name: 'Amara',
  last_name: 'Okafor',
  address: { line1: '1 High Street', city: 'Leeds', postal_code: 'LS1 4AP', region: 'Leeds' },
  bank: { bank_name: 'Monzo', sort_code: '040004', account_number: '12345678' },
}
const { address } = RECIPIENT

describe('a recipient as text', () => {
  it.each<[string, RecipientDetails]>([
    ['a person', RECIPIENT],
    ['a business', { ...RECIPIENT, type: 'business' }],
    ['with an email', { ...RECIPIENT, email: 'amara@example.com' }],
    ['with all of an address', { ...RECIPIENT, address: { ...address, line2: 'Flat 2', region: 'Yorkshire' } }],
    ['with an empty line', { ...RECIPIENT, address: { ...address, line2: '' } }],
    ['with an empty region', { ...RECIPIENT, address: { ...address, region: '' } }],
    ['with an empty email', { ...RECIPIENT, email: '' }],
    ['with a line break', { ...RECIPIENT, address: { ...address, line1: '1 High\nStreet' } }],
    ['with a brace', { ...RECIPIENT, first_name: '{"type":' }],
    ['in another script', { ...RECIPIENT, first_name: 'Łukasz', last_name: '東京' }],
  ])('is read as it was, to the field that is left out: %s', (_what, recipient) => {
    const read = recipientOfText(recipientText(recipient))
    expect(read).toStrictEqual(recipient)
    // Requests are compared by this.
    expect(canonicalText({ ...read })).toBe(canonicalText({ ...recipient }))
  })

  it('has no names of fields, and a region only where it is another than the town', () => {
    expect(recipientText(RECIPIENT)).toBe(
      'i\nAmara\nOkafor\n\n1 High Street\n\nLeeds\nLS1 4AP\n\nMonzo\n040004\n12345678',
    )
  })

  it('is read as it was sealed before, too', () => {
    expect(recipientOfText(canonicalText({ ...RECIPIENT }))).toStrictEqual(RECIPIENT)
  })
})
