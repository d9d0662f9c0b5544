// Texts that resemble each other, such as JSON of one shape, in a fraction of their bytes: what also stands in a dictionary, or
// earlier in the text, is said by its place there. It is for texts of a kilobyte, of which zlib takes longer to begin than to end.
import { assert } from './assert.ts'

/** The dictionary is part of the format: to change it is to make another version, beside the one before. */
export interface TextPacker {
  /** `known` is a text that whoever unpacks has as well. Neither may have more than some 60 KB. */
  pack(text: string, known: string): Buffer
  unpack(packed: Buffer, known: string): string
}

/*
 * Dictionary, known text and text lie one after the other, and a place counts from the beginning. What is packed is a row of
 *   0x00 + n               n + 1 bytes that follow as they are
 *   0x40 + n, low, high    a copy of n + 4 bytes from the place that the two bytes say
 *   0x80 + d * 16 + n      a copy of n + 4 bytes from d - 4 behind where the copy before would have gone on
 * where the greatest n is followed by bytes that are added to it, the last of which is less than 255.
 */
const COPY = 0x40
const NEAR = 0x80
const MOST_LITERALS = 64
const MOST_FAR = 0x3f
const MOST_NEAR = 0x0f
const SHORTEST = 4
const NEAREST = -4
const FARTHEST = 3
/** Places beyond are not referred to. */
const REACH = 0x10000
/** A copy from afar takes three bytes, and more often than not the next one is from afar too. */
const SHORTEST_FAR = 6
/** Of a copy from nearby: what is longer than this is not looked for elsewhere. */
const ENOUGH = 12
/** After so many bytes that are nowhere, what follows is rarely nearby. */
const LOST = 6
const HASH_BITS = 12

const hashAt = (bytes: Uint8Array, at: number) =>
  Math.imul(bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24), 0x9e3779b1) >>>
  (32 - HASH_BITS)

export function textPacker(version: number, dictionary: string): TextPacker {
  const begin = Buffer.from(dictionary)
  const places = new Int32Array(1 << HASH_BITS).fill(-1)
  for (let at = 0; at + SHORTEST <= begin.length; at++) places[hashAt(begin, at)] = at
  const packing = new Packing(begin, places)
  return {
    pack: (text, known) => packing.pack(version, text, known),
    unpack(packed, known) {
      assert(packed[0] === version, 'a packed text has a version that this program knows')
      return unpacked(packed, Buffer.concat([begin, Buffer.from(known)]))
    },
  }
}

/** One text at a time: what it works with is made once. */
class Packing {
  readonly #begin: Buffer
  readonly #ofBegin: Int32Array
  /** Places in the text at hand, counted on from text to text, so that those of the last one need not be wiped away. */
  readonly #ofText = new Int32Array(1 << HASH_BITS).fill(-1)
  #base = 0
  #work: Buffer = Buffer.alloc(0)
  #out: Buffer = Buffer.alloc(0)
  #length = 0

  constructor(begin: Buffer, ofBegin: Int32Array) {
    this.#begin = begin
    this.#ofBegin = ofBegin
  }

  pack(version: number, text: string, known: string): Buffer {
    const first = this.#begin.length + known.length * 3
    this.#makeRoom(first + text.length * 3)
    const from = this.#begin.length + this.#work.write(known, this.#begin.length)
    const end = from + this.#work.write(text, from)
    this.#out[0] = version
    this.#length = 1
    for (let at = this.#begin.length; at + SHORTEST <= from; at++) this.#remember(at)
    this.#packFrom(from, end)
    this.#base += end
    return Buffer.from(this.#out.subarray(0, this.#length))
  }

  #makeRoom(bytes: number): void {
    if (this.#work.length < bytes) {
      this.#work = Buffer.alloc(bytes * 2)
      this.#begin.copy(this.#work)
      // At worst there is one more byte with every 64.
      this.#out = Buffer.alloc(bytes * 2 + bytes)
    }
    if (this.#base + bytes > 2 ** 30) {
      this.#ofText.fill(-1)
      this.#base = 0
    }
  }

  #remember(at: number): void {
    this.#ofText[hashAt(this.#work, at)] = this.#base + at
  }

  #packFrom(from: number, end: number): void {
    const work = this.#work
    let literals = from
    // Where the copy before would go on.
    let goesOn = 0
    for (let at = from; at + SHORTEST <= end;) {
      const hash = hashAt(work, at)
      const inBegin = this.#ofBegin[hash]!
      const inText = this.#ofText[hash]! - this.#base
      this.#ofText[hash] = this.#base + at
      const next = goesOn + at - literals
      let place = at - literals > LOST ? -1 : nearPlace(work, next, at)
      let length = place < 0 ? 0 : sameBytes(work, place, at, end)
      if (length < ENOUGH) {
        const lengthInBegin = inBegin < 0 ? 0 : sameBytes(work, inBegin, at, end)
        const lengthInText = inText < 0 || inText >= REACH ? 0 : sameBytes(work, inText, at, end)
        const farLength = Math.max(lengthInBegin, lengthInText)
        if (farLength >= SHORTEST_FAR && farLength > length + SHORTEST_FAR - SHORTEST) {
          place = lengthInBegin >= lengthInText ? inBegin : inText
          length = farLength
        }
      }
      if (length < SHORTEST) {
        at++
        continue
      }
      this.#literally(literals, at)
      this.#copyOf(place, length, place - next)
      goesOn = place + length
      at += length
      literals = at
    }
    this.#literally(literals, end)
  }

  #literally(from: number, to: number): void {
    const out = this.#out
    let length = this.#length
    for (let at = from; at < to;) {
      const until = Math.min(to, at + MOST_LITERALS)
      out[length++] = until - at - 1
      while (at < until) out[length++] = this.#work[at++]!
    }
    this.#length = length
  }

  #copyOf(place: number, length: number, distance: number): void {
    const isNear = distance >= NEAREST && distance <= FARTHEST
    const most = isNear ? MOST_NEAR : MOST_FAR
    let more = length - SHORTEST - most
    this.#out[this.#length++] = (isNear ? NEAR + (distance - NEAREST) * 16 : COPY) + Math.min(length - SHORTEST, most)
    if (more >= 0) {
      for (; more >= 255; more -= 255) this.#out[this.#length++] = 255
      this.#out[this.#length++] = more
    }
    if (isNear) return
    this.#out[this.#length++] = place & 0xff
    this.#out[this.#length++] = place >> 8
  }
}

/** The place nearest to `next` from where enough bytes are the same; -1: there is none. */
function nearPlace(work: Buffer, next: number, at: number): number {
  if (isSame(work, next, at)) return next
  for (let place = Math.max(0, next + NEAREST); place <= next + FARTHEST; place++)
    if (isSame(work, place, at)) return place
  return -1
}

const isSame = (work: Buffer, place: number, at: number) =>
  place < at &&
  work[place] === work[at] &&
  work[place + 1] === work[at + 1] &&
  work[place + 2] === work[at + 2] &&
  work[place + 3] === work[at + 3]

function sameBytes(work: Buffer, one: number, other: number, end: number): number {
  let length = 0
  while (other + length < end && work[one + length] === work[other + length]) length++
  return length
}

function unpacked(packed: Buffer, before: Buffer): string {
  let work = Buffer.alloc(before.length + packed.length * 8)
  before.copy(work)
  let at = 1
  let end = before.length
  let goesOn = 0
  const withRoom = (bytes: number) => {
    if (end + bytes > work.length) work = Buffer.concat([work], (end + bytes) * 2)
  }
  const lengthOf = (shown: number, most: number) => {
    let length = shown + SHORTEST
    if (shown < most) return length
    let more = 255
    while (more === 255) {
      more = packed[at++]!
      length += more
    }
    return length
  }
  while (at < packed.length) {
    const token = packed[at++]!
    if (token < COPY) {
      withRoom(token + 1)
      packed.copy(work, end, at, at + token + 1)
      at += token + 1
      end += token + 1
      goesOn += token + 1
      continue
    }
    const isNear = token >= NEAR
    const length = isNear ? lengthOf(token & 0x0f, MOST_NEAR) : lengthOf(token & 0x3f, MOST_FAR)
    const place = isNear ? goesOn + ((token >> 4) & 7) + NEAREST : packed[at++]! | (packed[at++]! << 8)
    withRoom(length)
    // Byte by byte: a copy may go on into what it has just made.
    for (let nth = 0; nth < length; nth++) work[end++] = work[place + nth]!
    goesOn = place + length
  }
  return work.toString('utf8', before.length, end)
}
