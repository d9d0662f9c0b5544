// What a masking hid, so that our own words about a request are told without what they repeat of it.
import { groupBy } from '../../core/group-by.ts'
import { shapeOf } from './shape.ts'

/** More than a real request has. Each is looked for in each of our texts: thousands would hold up other requests. */
const MOST_TEXTS = 300
/** Shorter ones are in every other word. */
const SHORTEST = 3
/** Our messages repeat a long text in part: at least this much of its beginning. */
const SHORTEST_PART = 24

export class HiddenTexts {
  readonly #texts: string[] = []
  #count = 0
  /** Of the first so many texts. Made when words are told, which most answers have none of. */
  readonly #forms = new Set<string>()
  #formed = 0
  #longestFirst: readonly string[] = []

  /** There was more than is looked for. */
  get isFull(): boolean {
    return this.#count > MOST_TEXTS
  }

  /** How many there are; those that came after so many are forgotten by `backTo`. */
  get count(): number {
    return this.#count
  }

  backTo(count: number): void {
    this.#count = count
    this.#texts.length = Math.min(count, this.#texts.length)
    this.#forms.clear()
    this.#formed = 0
    this.#longestFirst = []
  }

  add(text: string): void {
    this.#count++
    if (this.isFull) return
    this.#texts.push(text)
  }

  /** The words without what they repeat, or only their shape if there was too much to look for. */
  takenOutOf(words: string): string {
    if (this.isFull) return shapeOf(words)
    if (this.#formed < this.#texts.length) this.#lookForAll()
    let told = words
    const long = this.#longestFirst.filter((text) => text.length > SHORTEST_PART)
    for (const [beginning, texts] of groupBy(long, (text) => text.slice(0, SHORTEST_PART))) {
      told = withoutParts(told, beginning, texts)
    }
    // The shape is given by a function: as text, a $ in it would put the hidden text back.
    for (const text of this.#longestFirst.slice(long.length)) told = told.replaceAll(text, shapeOf)
    return told
  }

  #lookForAll(): void {
    for (; this.#formed < this.#texts.length; this.#formed++) {
      for (const form of formsOf(this.#texts[this.#formed]!)) this.#forms.add(form)
    }
    // A short one may be part of a long one, of which the rest would stay.
    this.#longestFirst = [...this.#forms].toSorted((one, other) => other.length - one.length)
  }
}

/** Some messages repeat a text as JSON, and those about an address name its host. */
function formsOf(text: string): string[] {
  return [text, JSON.stringify(text).slice(1, -1), hostIn(text)].filter((form) => form.length >= SHORTEST)
}

function hostIn(text: string): string {
  return text.includes(':') && URL.canParse(text) ? new URL(text).hostname : ''
}

/** Of the texts that begin so, the one that goes on longest in the words is taken out. */
function withoutParts(words: string, beginning: string, texts: readonly string[]): string {
  let told = ''
  let from = 0
  for (let at = words.indexOf(beginning); at >= 0; at = words.indexOf(beginning, from)) {
    const end = at + Math.max(...texts.map((text) => sharedLength(words, at, text)))
    told += words.slice(from, at) + shapeOf(words.slice(at, end))
    from = end
  }
  return told + words.slice(from)
}

function sharedLength(words: string, at: number, text: string): number {
  let length = 0
  while (length < text.length && words[at + length] === text[length]) length++
  return length
}
