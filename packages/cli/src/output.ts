// What a command says: tables and lines on a terminal, one JSON object per line for programs.
import type { Failure } from './failure.ts'
import type { Surroundings } from './surroundings.ts'
import { visible, visibleJson } from './visible.ts'

export interface Column<Item> {
  readonly title: string
  readonly of: (item: Item) => string | null | undefined
}

export class Output {
  readonly isJson: boolean
  readonly #around: Surroundings
  readonly #isAsked: boolean

  constructor(around: Surroundings, { isJsonAsked }: { isJsonAsked: boolean }) {
    this.#around = around
    this.#isAsked = isJsonAsked
    this.isJson = isJsonAsked || !around.stdout.isTerminal
  }

  /** One thing, field by field. */
  record(item: unknown, fields: readonly (readonly [label: string, value: string | null | undefined])[]): void {
    if (this.isJson) return this.#print(visibleJson(item))
    const shown = fields.filter(([, value]) => value != null && value !== '')
    const width = Math.max(...shown.map(([label]) => label.length))
    for (const [label, value] of shown) this.#print(`${label.padEnd(width)}  ${visible(value!)}`)
  }

  table<Item>(items: readonly Item[], columns: readonly Column<Item>[], nothing: string): void {
    if (this.isJson) return items.forEach((item) => this.#print(visibleJson(item)))
    if (items.length === 0) return this.#print(nothing)
    const rows = [
      columns.map(({ title }) => title),
      ...items.map((item) => columns.map((column) => cell(column, item))),
    ]
    const widths = columns.map((_column, at) => Math.max(...rows.map((row) => row[at]!.length)))
    for (const row of rows)
      this.#print(
        row
          .map((text, at) => text.padEnd(widths[at]!))
          .join('  ')
          .trimEnd(),
      )
  }

  /** One of a series that goes on. */
  line(item: unknown, text: string): void {
    this.#print(this.isJson ? visibleJson(item) : visible(text))
  }

  /** Resolves when all that was said so far has been taken: only then somebody can have seen it. */
  shown(): Promise<void> {
    return this.#around.stdout.written()
  }

  /** Text that is the same for everybody: help, a script, a page. */
  text(text: string): void {
    this.#around.stdout.write(text)
  }

  /** For a person beside it: never what a program needs. */
  note(text: string): void {
    if (!this.#isAsked) this.#around.stderr.write(`${visible(text)}\n`)
  }

  failure({ code, message: said, exit, hints, more }: Failure): void {
    const message = withoutKeys(said)
    if (this.#isAsked) {
      this.#around.stderr.write(`${visibleJson({ error: { code, message, exit, ...more } })}\n`)
      return
    }
    const word = exit === 3 ? 'not known' : 'error'
    const name = code === 'usage' ? '' : `${visible(code)}: `
    this.#around.stderr.write(`${word}: ${name}${visible(message)}\n`)
    for (const hint of hints) this.#around.stderr.write(`  ${visible(hint)}\n`)
  }

  #print(text: string): void {
    this.#around.stdout.write(`${text}\n`)
  }
}

/** A key that stands in the wrong place is repeated to nobody. */
function withoutKeys(text: string): string {
  return text.replaceAll(/kp_(sandbox|live)_\w+/g, 'kp_$1_…')
}

function cell<Item>({ of }: Column<Item>, item: Item): string {
  const text = of(item)
  return text == null || text === '' ? '-' : visible(text)
}
