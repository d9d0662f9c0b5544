// Masks an answer from its text to text, with no objects in between, which would take three times as long. It knows JSON as our
// own serializer writes it: of anything else (white space, escapes, a field that nobody knows) it says that it does not know it.
import { type FieldKind, kindOf } from './field-kinds.ts'

export interface Telling {
  /** A text, or a number, as it may be told in a field of this kind; null: in none. */
  toldText(text: string, kind: FieldKind | null): string
  toldNumber(value: number, kind: FieldKind | null): unknown
}

const [QUOTE, COMMA, COLON, LIST, END_OF_LIST, OBJECT, END_OF_OBJECT] = [0x22, 0x2c, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d]
const NUMBER = /-?\d+(?:\.\d+)?/y

/** What `JSON.stringify(mask.value(JSON.parse(text)))` would give; null where that has to be asked. */
export function maskedText(text: string, telling: Telling): string | null {
  return text.includes('\\') ? null : new Masking(text, telling).whole()
}

class Masking {
  readonly #text: string
  readonly #telling: Telling
  #at = 0
  #told = ''
  /** So much of the text is told. */
  #until = 0

  constructor(text: string, telling: Telling) {
    this.#text = text
    this.#telling = telling
  }

  whole(): string | null {
    if (!this.#value(null) || this.#at !== this.#text.length) return null
    return this.#told + this.#text.slice(this.#until)
  }

  /** Each of these goes on behind what it has read; false: it is not known. */
  #value(kind: FieldKind | null): boolean {
    const code = this.#text.charCodeAt(this.#at)
    if (code === QUOTE) return this.#string(kind)
    if (this.#skips('null')) return true
    if (kind === 'secret') return false
    if (code === OBJECT) return this.#members()
    if (code === LIST) return this.#items(kind)
    return this.#skips('true') || this.#skips('false') || this.#number(kind)
  }

  #string(kind: FieldKind | null): boolean {
    const from = this.#at + 1
    const end = this.#text.indexOf('"', from)
    if (end === -1) return false
    const text = this.#text.slice(from, end)
    const told = this.#telling.toldText(text, kind)
    // What is told of a text without escapes needs none.
    if (told !== text) this.#tell(from, end, told)
    this.#at = end + 1
    return true
  }

  #number(kind: FieldKind | null): boolean {
    NUMBER.lastIndex = this.#at
    const [written] = NUMBER.exec(this.#text) ?? []
    if (written === undefined) return false
    const value = Number.parseFloat(written)
    if (String(value) !== written) return false
    const told = this.#telling.toldNumber(value, kind)
    const end = this.#at + written.length
    if (told !== value) this.#tell(this.#at, end, JSON.stringify(told))
    this.#at = end
    return true
  }

  #items(kind: FieldKind | null): boolean {
    this.#at++
    if (this.#takes(END_OF_LIST)) return true
    for (;;) {
      if (!this.#value(kind)) return false
      if (this.#takes(END_OF_LIST)) return true
      if (!this.#takes(COMMA)) return false
    }
  }

  #members(): boolean {
    this.#at++
    if (this.#takes(END_OF_OBJECT)) return true
    for (;;) {
      if (!this.#takes(QUOTE)) return false
      const end = this.#text.indexOf('"', this.#at)
      const kind = kindOf(this.#text.slice(this.#at, end))
      this.#at = end + 1
      if (kind === null || !this.#takes(COLON) || !this.#value(kind)) return false
      if (this.#takes(END_OF_OBJECT)) return true
      if (!this.#takes(COMMA)) return false
    }
  }

  #takes(code: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== code) return false
    this.#at++
    return true
  }

  #skips(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false
    this.#at += word.length
    return true
  }

  #tell(from: number, end: number, told: string): void {
    this.#told += this.#text.slice(this.#until, from) + told
    this.#until = end
  }
}
