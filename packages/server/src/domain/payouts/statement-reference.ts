// Faster Payments carries 18 characters of a small set. The whole reference is kept; the bank gets this form of it.
const LONGEST = 18
const NOT_CARRIED = /[^a-zA-Z0-9/\-?:().,'+ #=!"%&*<>;{@]+/g
const ACCENTS = /[\u0300-\u036f]/g

/** Null when there is no reference, or nothing of it can be carried. */
export function statementReference(reference: string | null): string | null {
  const folded = (reference ?? '')
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(NOT_CARRIED, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, LONGEST)
    .trim()
  return folded === '' ? null : folded
}
