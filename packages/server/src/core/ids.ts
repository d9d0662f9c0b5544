// New ids and secrets: the only place that draws random numbers.
import { hash, randomBytes, randomFillSync, randomInt } from 'node:crypto'

import { forgetOldest } from './forget-oldest.ts'

const UUID_TEXT = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function isUuid(text: string): boolean {
  return UUID_TEXT.test(text)
}

/**
 * UUID version 7: ids made later sort later, so indexes grow at their end and lists need no other order. Those that a process makes one
 * after the other at one moment sort so too.
 */
export function newId(now: Date): string {
  const moment = momentOf(now.getTime())
  const random = freshDigits(DIGITS_OF_ID)
  const variant = '89ab'[Number.parseInt(random[0]!, 16) & 3]!
  return `${moment.beginning}-7${nextPlace(moment)}-${variant}${random.slice(1, 4)}-${random.slice(4)}`
}

/** Besides its time and its place an id has 62 random bits; of one of its digits only two are random. */
const DIGITS_OF_ID = 16
/**
 * Three digits say which id of its moment it is. They begin anywhere in the first half, so that there is room for two thousand, and that
 * of two moments says nothing of what was made in between.
 */
const PLACES = 4_096

interface Moment {
  readonly ms: number
  readonly beginning: string
  place: number
}

/** A batch keeps its moment while others come and go. */
const MOST_MOMENTS = 64
const moments = new Map<number, Moment>()
let last: Moment = { ms: Number.NaN, beginning: '', place: 0 }

function momentOf(ms: number): Moment {
  if (ms === last.ms) return last
  last = moments.get(ms) ?? newMoment(ms)
  return last
}

function newMoment(ms: number): Moment {
  const place = Number.parseInt(freshDigits(3), 16) % (PLACES / 2)
  const moment = { ms, beginning: timeDigits(ms), place }
  moments.set(ms, moment)
  forgetOldest(moments, MOST_MOMENTS)
  return moment
}

function timeDigits(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

/** More than there are places begin anew: none is made twice, and no order is promised then. */
function nextPlace(moment: Moment): string {
  moment.place = (moment.place + 1) % PLACES
  return moment.place.toString(16).padStart(3, '0')
}

/** Sixteen bytes as the text of a UUID. */
export function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

// Drawn for many at once: a draw costs as much for sixteen bytes as for thousands.
const drawn = Buffer.alloc(4_096)
let used = drawn.length

/** Random bytes that nobody has had before, to be used at once. */
export function freshBytes(count: number): Buffer {
  if (used + count > drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  used += count
  return drawn.subarray(used - count, used)
}

let digits = ''
let usedDigits = 0

/** Random hexadecimal digits that nobody has had before. */
function freshDigits(count: number): string {
  if (usedDigits + count > digits.length) {
    digits = randomBytes(4_096).toString('hex')
    usedDigits = 0
  }
  usedDigits += count
  return digits.slice(usedDigits - count, usedDigits)
}

/** Several ids of one moment, in their order. */
export function newIds(now: Date, count: number): string[] {
  return Array.from({ length: count }, () => newId(now)).toSorted()
}

/** Not higher than any id that was made at this moment or later. */
export function lowestIdAt(at: Date): string {
  return `${timeDigits(at.getTime())}-7000-8000-000000000000`
}

/** When an id was made. */
export function madeAt(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
}

export function randomHex(byteCount: number): string {
  return randomBytes(byteCount).toString('hex')
}

/** Random bytes in letters that a cookie or an address may hold. */
export function randomToken(byteCount: number): string {
  return randomBytes(byteCount).toString('base64url')
}

export function randomBase64(byteCount: number): string {
  return randomBytes(byteCount).toString('base64')
}

/** A code for a person to type: each of the million is equally likely. */
export function randomSixDigits(): string {
  return String(randomInt(0, 1_000_000)).padStart(6, '0')
}

export function sha256(text: string | Buffer): Buffer {
  // In one call, which takes half as long as an object that hashes: each request with a key asks for one.
  return Buffer.from(hash('sha256', text, 'binary'), 'latin1')
}

/** Any whole number between the two. */
export function randomBetween(lowest: number, highest: number): number {
  return randomInt(Math.ceil(lowest), Math.floor(highest) + 1)
}

/** Higher than every id: where pages that go back by id begin. */
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Lower than every id: where pages that go by id begin. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000'
