// A column of a batch as the text that PostgreSQL reads an array from. The driver can do that too, but asks of each value what
// it is and quotes all of them; here the column's type says it once, and what needs no quotes is shorter to read as well.

/** Types whose text never needs quotes. */
const PLAIN = new Set(['uuid', 'int', 'integer', 'bigint', 'smallint', 'boolean', 'date', 'environment'])

/** `{a,b}`, of values of one type; null for what only the driver knows, such as arrays within the array. */
export function arrayLiteral(values: readonly unknown[], type: string): string | null {
  const isPlain = PLAIN.has(type)
  let text = ''
  let last: unknown
  let element: string | null = elementOf(last, isPlain)
  for (const value of values) {
    // The payouts of a batch have much in common: one partner, one moment, one status.
    if (value !== last) {
      element = elementOf(value, isPlain)
      if (element === null) return null
      last = value
    }
    text += text === '' ? element : `,${element}`
  }
  return `{${text}}`
}

function elementOf(value: unknown, isPlain: boolean): string | null {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'string') return isPlain && IS_PLAIN.test(value) ? value : quoted(value)
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  // In an array the backslash of \x is doubled.
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`
  if (value instanceof Date && isInReach(value)) return value.toISOString()
  return null
}

const IS_PLAIN = /^(?!null$)[\w-]+$/i

const NEEDS_ESCAPES = /["\\]/
const quoted = (text: string) => `"${NEEDS_ESCAPES.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`

/** Other years have other signs in JavaScript than in PostgreSQL. */
function isInReach(at: Date): boolean {
  const year = at.getUTCFullYear()
  return year > 0 && year < 10_000
}
