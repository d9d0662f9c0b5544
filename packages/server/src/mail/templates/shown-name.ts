// Typed text, as a mail may show it beside a genuine code: on one line, at most a line or two long, and without
// anything that a mail program would turn into a link. The dashboard shows it as it is.
import { isIP } from 'node:net'

const LONGEST_NAME = 60
const LONGEST_VALUE = 140

/** A name within a sentence of ours, in quotation marks. */
export function shownName(name: string): string {
  return `“${shortened(unlinked(name), LONGEST_NAME)}”`
}

/** A value beside its name: a label, a reference, a bank's reason. */
export function shownValue(value: string): string {
  return shortened(unlinked(value), LONGEST_VALUE)
}

/** An email address, where only an address can stand. */
export function shownAddress(address: string): string {
  return PLAIN_ADDRESS.test(address) && address.length <= LONGEST_ADDRESS ? address : shownValue(address)
}

/** A value with its name. Addresses are marked as such, because anything else that looks like one is taken apart. */
export type TypedFact = readonly [name: string, value: string | { readonly address: string }]

export function shownFact([name, value]: TypedFact): readonly [name: string, value: string] {
  return [name, typeof value === 'string' ? shownValue(value) : shownAddress(value.address)]
}

/** Where a request came from: an IP address, or whatever a proxy wrote in its place. */
export function shownNetwork(ip: string): string {
  return isIP(ip) === 0 ? shownValue(ip) : ip
}

/**
 * An address has to be read letter by letter, so it stays as it is. Addresses may hold more than this allows, slashes
 * among it, which a mail program would take for a web address; such an address is shown as words.
 */
const PLAIN_ADDRESS = /^(?!www\.)[a-z0-9]+(?:[._+'-][a-z0-9]+)*@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i
const LONGEST_ADDRESS = 254

function unlinked(words: string): string {
  return (
    words
      .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
      .replaceAll(/[@＠﹫<>“”"\\]+/g, ' ')
      .replaceAll(/\d+(?:\.\d+){3,}/g, (numbers) => numbers.replaceAll('.', ' '))
      // A dot or colon directly before something makes a text look like an address; those in "Ltd." and "10.42" do not.
      .replaceAll(/(?<!\d)[.。．｡․﹒:：﹕](?=\S)|[.。．｡․﹒:：﹕](?=[^\s\d])/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
  )
}

function shortened(words: string, longest: number): string {
  const letters = [...words]
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : words
}
