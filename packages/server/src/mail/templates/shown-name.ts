// What somebody typed, as a mail may show it beside a genuine code: in one line, no longer than a line or two, and without
// anything that a mail program would make into a link. What it really is stands in the dashboard.
import { isIP } from 'node:net'

const LONGEST_NAME = 60
const LONGEST_VALUE = 140

/** A name within a sentence of ours, in quotation marks. */
export function shownName(name: string): string {
  return `“${shortened(unlinked(name), LONGEST_NAME)}”`
}

/** What stands by itself beside its name: a label, a reference, a bank's reason. */
export function shownValue(value: string): string {
  return shortened(unlinked(value), LONGEST_VALUE)
}

/** Whom it is about, where only an address can stand. */
export function shownAddress(address: string): string {
  return PLAIN_ADDRESS.test(address) && address.length <= LONGEST_ADDRESS ? address : shownValue(address)
}

/** Something with its name; what is an address says so, because anything else that looks like one is taken apart. */
export type TypedFact = readonly [name: string, value: string | { readonly address: string }]

export function shownFact([name, value]: TypedFact): readonly [name: string, value: string] {
  return [name, typeof value === 'string' ? shownValue(value) : shownAddress(value.address)]
}

/** Where a request came from: an address of the internet, or whatever a proxy wrote in its place. */
export function shownNetwork(ip: string): string {
  return isIP(ip) === 0 ? shownValue(ip) : ip
}

/**
 * An address has to be read letter by letter, so it stays. More is allowed in one than this, slashes among it, which a
 * mail program would take for a web address; such a one is shown as words.
 */
const PLAIN_ADDRESS = /^(?!www\.)[a-z0-9]+(?:[._+'-][a-z0-9]+)*@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i
const LONGEST_ADDRESS = 254

function unlinked(words: string): string {
  return (
    words
      .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
      .replaceAll(/[@＠﹫<>“”"\\]+/g, ' ')
      .replaceAll(/\d+(?:\.\d+){3,}/g, (numbers) => numbers.replaceAll('.', ' '))
      // A dot or colon that something follows at once is how addresses look; those of "Ltd." and "10.42" are not.
      .replaceAll(/(?<!\d)[.。．｡․﹒:：﹕](?=\S)|[.。．｡․﹒:：﹕](?=[^\s\d])/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
  )
}

function shortened(words: string, longest: number): string {
  const letters = [...words]
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : words
}
