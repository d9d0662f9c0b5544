// A column of a batch as PostgreSQL has arrays inside: a count, and of each element its length and its bytes. Nobody has to quote or to read
// quotes, ids and bytes take half the room, and PostgreSQL copies what it otherwise reads letter by letter.

/** Writes one value and says how long it is; REFUSED: only its text can say it, or PostgreSQL has to say what is wrong with it. */
type Put = (value: unknown, at: number) => number
const REFUSED = -1

/** How elements of a type are written, and the number by which PostgreSQL names it. Those of our own types differ from database to database. */
const TYPES: Readonly<Record<string, { readonly number: number; readonly put: Put }>> = {
  boolean: { number: 16, put: putBoolean },
  bytea: { number: 17, put: putBytes },
  bigint: { number: 20, put: putBigint },
  int: { number: 23, put: putInt },
  integer: { number: 23, put: putInt },
  text: { number: 25, put: putText },
  timestamptz: { number: 1_184, put: putMoment },
  uuid: { number: 2_950, put: putUuid },
}

const HEAD_BYTES = 20
const EMPTY_HEAD_BYTES = 12
const LENGTH_BYTES = 4
const NO_LENGTH = -1

// Written here and copied out: how long a column gets is known at its end.
let room = Buffer.allocUnsafeSlow(64 * 1_024)
let longs = new DataView(room.buffer)

/** The parameter in its binary form; null for what has none, which array-literal.ts or the driver write as text. */
export function arrayBytes(values: readonly unknown[], type: string): Buffer | null {
  const known = TYPES[type]
  if (known === undefined) return null
  let at = values.length === 0 ? EMPTY_HEAD_BYTES : HEAD_BYTES
  let hasNull = false
  // The element before: the payouts of a batch have much in common, such as a partner, a moment, a status.
  let [last, lastAt]: [unknown, number] = [undefined, at]
  for (const value of values) {
    makeRoom(at + LENGTH_BYTES)
    if (value === null || value === undefined) {
      hasNull = true
      putInt32(NO_LENGTH, at)
      at += LENGTH_BYTES
      continue
    }
    if (value === last) {
      const length = LENGTH_BYTES + int32At(lastAt)
      makeRoom(at + length)
      room.copyWithin(at, lastAt, lastAt + length)
      at += length
      continue
    }
    const length = known.put(value, at + LENGTH_BYTES)
    if (length === REFUSED) return null
    putInt32(length, at)
    ;[last, lastAt] = [value, at]
    at += LENGTH_BYTES + length
  }
  putInt32(values.length === 0 ? 0 : 1, 0)
  putInt32(hasNull ? 1 : 0, 4)
  putInt32(known.number, 8)
  if (values.length > 0) {
    putInt32(values.length, 12)
    // SQL counts from one.
    putInt32(1, 16)
  }
  return Buffer.from(room.subarray(0, at))
}

function makeRoom(bytes: number): void {
  if (bytes <= room.length) return
  const larger = Buffer.allocUnsafeSlow(2 * bytes)
  room.copy(larger)
  room = larger
  longs = new DataView(room.buffer)
}

function putInt32(value: number, at: number): void {
  room[at] = value >>> 24
  room[at + 1] = value >>> 16
  room[at + 2] = value >>> 8
  room[at + 3] = value
}

function int32At(at: number): number {
  return (room[at]! << 24) | (room[at + 1]! << 16) | (room[at + 2]! << 8) | room[at + 3]!
}

const UUID_BYTES = 16
const UUID_LETTERS = 36
const DASH = 0x2d
const NO_DIGIT = 255
/** What a letter is worth, by its code. */
const DIGITS = new Uint8Array(128).fill(NO_DIGIT)
for (const [worth, digits] of [...'0123456789abcdef'].entries()) {
  for (const digit of [digits, digits.toUpperCase()]) DIGITS[digit.charCodeAt(0)] = worth
}

function putUuid(value: unknown, at: number): number {
  if (typeof value !== 'string' || value.length !== UUID_LETTERS) return REFUSED
  makeRoom(at + UUID_BYTES)
  let to = at
  for (let from = 0; from < UUID_LETTERS; from += 2) {
    if (from === 8 || from === 13 || from === 18 || from === 23) {
      if (value.charCodeAt(from) !== DASH) return REFUSED
      from += 1
    }
    const high = DIGITS[value.charCodeAt(from)] ?? NO_DIGIT
    const low = DIGITS[value.charCodeAt(from + 1)] ?? NO_DIGIT
    if (high === NO_DIGIT || low === NO_DIGIT) return REFUSED
    room[to++] = (high << 4) | low
  }
  return UUID_BYTES
}

/** Up to this many letters are put one by one; a call into Node costs more than that. */
const SHORT_TEXT = 64
const MOST_BYTES_PER_LETTER = 3

function putText(value: unknown, at: number): number {
  if (typeof value !== 'string') return REFUSED
  makeRoom(at + value.length * MOST_BYTES_PER_LETTER)
  if (value.length > SHORT_TEXT) return room.write(value, at, 'utf8')
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index)
    if (code >= 0x80) return room.write(value, at, 'utf8')
    room[at + index] = code
  }
  return value.length
}

function putBytes(value: unknown, at: number): number {
  if (!Buffer.isBuffer(value)) return REFUSED
  makeRoom(at + value.length)
  value.copy(room, at)
  return value.length
}

function putBoolean(value: unknown, at: number): number {
  if (typeof value !== 'boolean') return REFUSED
  makeRoom(at + 1)
  room[at] = value ? 1 : 0
  return 1
}

function putInt(value: unknown, at: number): number {
  if (typeof value !== 'number' || (value | 0) !== value) return REFUSED
  makeRoom(at + 4)
  putInt32(value, at)
  return 4
}

const LONG_BYTES = 8

function putBigint(value: unknown, at: number): number {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? putLong(value, at) : REFUSED
  if (typeof value !== 'bigint' || BigInt.asIntN(64, value) !== value) return REFUSED
  makeRoom(at + LONG_BYTES)
  longs.setBigInt64(at, value)
  return LONG_BYTES
}

function putLong(value: number, at: number): number {
  makeRoom(at + LONG_BYTES)
  const high = Math.floor(value / 2 ** 32)
  putInt32(high, at)
  putInt32(value - high * 2 ** 32, at + 4)
  return LONG_BYTES
}

/** The year 2000, from which PostgreSQL counts microseconds. */
const BEGINNING_MS = Date.UTC(2_000)

function putMoment(value: unknown, at: number): number {
  if (!(value instanceof Date)) return REFUSED
  // Also where the date is none at all. What is centuries away from now has more microseconds than a number counts.
  const microseconds = (value.getTime() - BEGINNING_MS) * 1_000
  return Number.isSafeInteger(microseconds) ? putLong(microseconds, at) : REFUSED
}
