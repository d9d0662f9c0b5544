// Masks what the log of requests keeps: bank details, people and secrets never get there. Which fields are told is in field-kinds.ts.
import { isUuid } from '../../core/ids.ts'
import { type FieldKind, kindOf } from './field-kinds.ts'
import { HiddenTexts } from './hidden-texts.ts'
import { isKnownWord } from './known-words.ts'
import { maskedText } from './masked-text.ts'
import { shapeOf } from './shape.ts'

const SECRET = '[secret]'

const FITS: Readonly<
  Record<'id' | 'word' | 'sum' | 'time' | 'number' | 'key' | 'cursor' | 'reference', (text: string) => boolean>
> = {
  id: isUuid,
  word: (text) => isKnownWord(text) || (text.includes(',') && text.split(',').every(isKnownWord)),
  sum: (text) => /^-?(\d{1,5}|\d{1,9}\.\d{1,8})$/.test(text),
  time: (text) => /^\d{4}-\d\d(-\d\d(T[\d:.]{5,12}(Z|[+-]\d\d:\d\d)?)?)?$/.test(text),
  number: (text) => /^\d{1,4}$/.test(text) || FITS.word(text),
  key: (text) => /^[\w:.-]{1,100}$/.test(text) && !isSecretOrAccount(text),
  cursor: (text) => /^[\w-]{20,300}$/.test(text) && !isSecretOrAccount(text),
  reference: (text) => /^sandbox:[a-z_]{1,20}$/.test(text),
}

/** What was put into the wrong place: one of our keys or secrets, or an IBAN. */
function isSecretOrAccount(text: string): boolean {
  const bare = text.replaceAll(/[:._-]/g, '')
  return /kp_(live|sandbox)|whsec/i.test(text) || /[a-z]{2}\d{2}[a-z]{4}\d{14}/i.test(bare) || IBAN.test(bare)
}

/** In capitals only: an identifier in hexadecimal digits may look like one in small letters. */
const IBAN = /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/

/** In requests. A sort code has six digits. */
const HIGHEST_ASKED = 99_999
const HIGHEST_ANSWERED = 9_999_999

/** One masking: what it hid of the request is not told by our own words about it either. */
export class Mask {
  readonly #hidden = new HiddenTexts()
  #isOurs = false

  /** More had to be hidden than anybody reads: what was masked of the request is not all of it. */
  get isFull(): boolean {
    return this.#hidden.isFull
  }

  /** An answer, whose messages are our own words. In a request a field of the same name may hold anything. */
  answer(value: unknown): unknown {
    this.#isOurs = true
    return this.value(value)
  }

  /** The same of its text, as text. */
  answerText(text: string): string {
    this.#isOurs = true
    const before = this.#hidden.count
    const told = maskedText(text, this)
    if (told !== null) return told
    this.#hidden.backTo(before)
    return JSON.stringify(this.answer(JSON.parse(text)))
  }

  /** A value of JSON, as it may be told. */
  value(value: unknown, kind: FieldKind | null = null): unknown {
    if (this.isFull && !this.#isOurs) return null
    if (typeof value === 'string') return this.toldText(value, kind)
    if (typeof value === 'number') return this.toldNumber(value, kind)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((item) => this.value(item, kind))
    const told: Record<string, unknown> = {}
    for (const field of Object.keys(value)) {
      const held = (value as Record<string, unknown>)[field]
      const kindOfField = kindOf(field)
      if (kindOfField === null) told[this.#hide(field)] = this.#unknown(held)
      else told[field] = kindOfField === 'secret' && held !== null ? SECRET : this.value(held, kindOfField)
    }
    return told
  }

  text(text: string, name: string | null): string {
    return this.toldText(text, name === null ? null : kindOf(name))
  }

  toldText(text: string, kind: FieldKind | null): string {
    if (kind === 'secret') return SECRET
    if (kind === 'text') return this.#isOurs ? this.words(text) : this.#hide(text)
    if (kind === null || kind === 'hidden' || kind === 'parts') return this.#hide(text)
    return FITS[kind](text) ? text : this.#hide(text)
  }

  /** Our own words, without what they repeat of the request. */
  words(text: string): string {
    return this.#hidden
      .takenOutOf(text)
      .replaceAll(/"((?:\\.|[^"\\])*)"/g, (quoted, inside: string) =>
        mayBeQuoted(inside) ? quoted : `"${shapeOf(inside)}"`,
      )
      .replaceAll(/[^\s"'()]+@[^\s"'()]+/g, shapeOf)
      .replaceAll(/\d{5,}/g, shapeOf)
  }

  #unknown(value: unknown): unknown {
    return typeof value === 'object' && value !== null ? '[not a known field]' : this.value(value, null)
  }

  toldNumber(value: number, kind: FieldKind | null): unknown {
    const isTold = kind === 'number' || kind === 'sum' || kind === 'time'
    const highest = this.#isOurs ? HIGHEST_ANSWERED : HIGHEST_ASKED
    // The type stays to be seen: a number where text belongs is a common mistake.
    return isTold && Math.abs(value) <= highest ? value : '[a number]'
  }

  #hide(text: string): string {
    this.#hidden.add(text)
    return shapeOf(text)
  }
}

/** What our messages quote to show how it should be, or an amount that was not one. */
function mayBeQuoted(text: string): boolean {
  return kindOf(text) !== null || /^[A-Z]{2}$/.test(text) || FITS.sum(text)
}
