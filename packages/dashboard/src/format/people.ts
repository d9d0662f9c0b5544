// Names and addresses of people and businesses.

/** Of the first and the last word that begin with a letter or a digit: half of an emoji is no letter. */
export function initials(name: string): string {
  const words = name.split(/[\s@._-]+/).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters.map((word) => ([...(word ?? '')][0] ?? '').toUpperCase()).join('')
}

/** a•••@thistle.co.uk */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 1 ? email : `${email.slice(0, 1)}•••${email.slice(at)}`
}

export function isEmail(typed: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed.trim())
}

/** First and last name of a whole name: the last word is the last name. */
export function splitName(name: string): { first: string; last: string } {
  const words = name.trim().split(/\s+/)
  return words.length < 2
    ? { first: words[0] ?? '', last: '' }
    : { first: words.slice(0, -1).join(' '), last: words.at(-1) ?? '' }
}

export function count(value: number, one: string, many = `${one}s`): string {
  return `${inThousands(value)} ${value === 1 ? one : many}`
}

/** 1,200 */
export function inThousands(value: number): string {
  return new Intl.NumberFormat('en-GB').format(value)
}
