// Bank details as people type them, and as they are read back to them.

const SEPARATORS = /[\s\-–.]/g

/** Six digits, however they were typed; null when it is something else. */
export function readSortCode(typed: string): string | null {
  const digits = typed.replaceAll(SEPARATORS, '')
  return /^\d{6}$/.test(digits) ? digits : null
}

/** 12-34-56 */
export function showSortCode(digits: string): string {
  return digits.replace(/^(\d{2})(\d{2})(\d{2})$/, '$1-$2-$3')
}

/** Eight digits, however they were typed; null when it is something else. */
export function readAccountNumber(typed: string): string | null {
  const digits = typed.replaceAll(SEPARATORS, '')
  return /^\d{8}$/.test(digits) ? digits : null
}

/** A few banks print seven digits; the scheme wants a zero in front. Worth a hint, never done unasked. */
export function isSevenDigits(typed: string): boolean {
  return /^\d{7}$/.test(typed.replaceAll(SEPARATORS, ''))
}

/** LS1 4AP of ls14ap. What does not look like a postcode stays as it is. */
export function tidyPostcode(typed: string): string {
  const bare = typed.replaceAll(/\s/g, '').toUpperCase()
  return /^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/.test(bare) ? `${bare.slice(0, -3)} ${bare.slice(-3)}` : typed.trim()
}

export function isPostcode(typed: string): boolean {
  return /^[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$/.test(tidyPostcode(typed))
}

/** 0x71c7 656e c7ab … in groups of four, so that two people can compare it. */
export function groupAddress(address: string): string[] {
  return address.match(/^0x|.{1,4}/g) ?? []
}
