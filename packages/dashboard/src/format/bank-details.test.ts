import { describe, expect, it } from 'vitest'

import {
  groupAddress,
  isPostcode,
  isSevenDigits,
  readAccountNumber,
  readSortCode,
  showSortCode,
  tidyPostcode,
} from './bank-details.ts'

describe('bank details', () => {
  it.each(['123456', '12-34-56', '12 34 56', '12–34–56', ' 12.34.56 '])('a sort code may be typed as %j', (typed) => {
    expect(readSortCode(typed)).toBe('123456')
  })

  it.each(['12345', '1234567', '12-34-5a', ''])('%j is no sort code', (typed) => {
    expect(readSortCode(typed)).toBeNull()
  })

  it('are read back in pairs', () => expect(showSortCode('040004')).toBe('04-00-04'))

  it('accept an account number with spaces and keep its zeros', () => {
    expect(readAccountNumber('0012 3456')).toBe('00123456')
    expect(readAccountNumber('1234567')).toBeNull()
    expect(isSevenDigits('123 4567')).toBe(true)
  })

  it('tidy a postcode and leave other text alone', () => {
    expect(tidyPostcode('ls14ap')).toBe('LS1 4AP')
    expect(tidyPostcode('sw1a 1aa')).toBe('SW1A 1AA')
    expect(tidyPostcode(' nowhere ')).toBe('nowhere')
    expect(isPostcode('m11ae')).toBe(true)
    expect(isPostcode('12345')).toBe(false)
  })

  it('show an address in groups that lose nothing', () => {
    const address = '0x71c7656ec7ab88b098defb751b7401b5f6d8976f'
    expect(groupAddress(address).join('')).toBe(address)
    expect(groupAddress(address)[0]).toBe('0x')
  })
})
