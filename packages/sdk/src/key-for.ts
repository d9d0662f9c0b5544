// Idempotency keys from what the caller already has.
import { UsageError } from './errors.ts'

const SHORTEST = 8
const LONGEST = 100

/**
 * `keyFor('order', 1042)` is `order:1042`. Other parts always make another key, and the same parts the same key, in every
 * process and after every restart: that is what keeps a payout from being made twice.
 */
export function keyFor(
  ...parts: readonly [kind: string, id: string | number | bigint, ...more: (string | number | bigint)[]]
): string {
  if (parts.length < 2) throw new UsageError("keyFor() needs a word and an id of yours, such as keyFor('order', 1042).")
  // Parts are never empty, so colons at the end can be nothing but filling.
  const key = parts.map(written).join(':').padEnd(SHORTEST, ':')
  if (key.length <= LONGEST) return key
  throw new UsageError(
    `A key has at most ${LONGEST} characters, and this one would have ${key.length}. Use a shorter id.`,
  )
}

function written(part: unknown): string {
  const isId = typeof part === 'string' ? part !== '' : typeof part === 'bigint' || Number.isSafeInteger(part)
  if (!isId) {
    throw new UsageError(
      `keyFor() takes words and whole numbers that are yours, such as an order's id, and not ${String(part)}.`,
    )
  }
  // A dot opens and closes what a key cannot hold as it is.
  return String(part).replaceAll(/[^A-Za-z0-9_-]/gu, (letter) => `.${letter.codePointAt(0)!.toString(16)}.`)
}
