// As much of Prometheus's language as our alert rules use, so that a rule can be tried on what /metrics says. It is kept
// small: what it does not know, it refuses.

export type Labels = Readonly<Record<string, string>>
export interface Sample {
  readonly name: string
  readonly labels: Labels
  readonly value: number
}
/** One reading of /metrics. */
export interface Scrape {
  readonly atMs: number
  readonly samples: readonly Sample[]
}
type Point = Omit<Sample, 'name'>
type Value = number | readonly Point[]

const LINE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/i
const LABEL = /([a-z_]\w*)="((?:[^"\\]|\\.)*)"/gi

export function parseMetrics(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = LINE.exec(line) ?? []
    if (name === undefined) return []
    return [
      {
        name,
        value: Number(value),
        labels: Object.fromEntries([...labels.matchAll(LABEL)].map(([, key, of]) => [key!, of!])),
      },
    ]
  })
}

/** The names of metrics that an expression reads. */
export function metricsIn(expression: string): string[] {
  const bare = expression.replaceAll(/"[^"]*"/g, '""').replaceAll(/\b(?:by|without|on)\s*\([^)]*\)/g, '')
  return [...new Set(bare.match(/\b(?:kestrel_|nodejs_|process_)\w+|\bup\b/g) ?? [])]
}

/** What a rule's condition finds; nothing: the alert is silent. The last reading counts, earlier ones are for increases. */
export function evaluate(expression: string, history: readonly Scrape[]): readonly Point[] {
  const parser = new Parser(expression, history)
  const found = parser.either()
  parser.expectEnd()
  return typeof found === 'number' ? [{ labels: {}, value: found }] : found
}

const TOKEN = /\s*(>=|<=|==|!=|=~|!~|[-+*/()<>{}[\],=]|"(?:[^"\\]|\\.)*"|[a-z_]\w*|\d+(?:\.\d+)?[smhd]?)/iy
const AGGREGATES: Readonly<Record<string, (values: readonly number[]) => number>> = {
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
  sum: (values) => values.reduce((sum, each) => sum + each, 0),
  count: (values) => values.length,
}
const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
}
const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
}
const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

class Parser {
  readonly #tokens: string[] = []
  readonly #history: readonly Scrape[]
  #at = 0

  constructor(text: string, history: readonly Scrape[]) {
    this.#history = history
    const token = new RegExp(TOKEN)
    while (token.lastIndex < text.trimEnd().length) {
      const at = token.lastIndex
      const found = token.exec(text)
      if (found === null) throw new Error(`This is not understood here: ${text.slice(at)}`)
      this.#tokens.push(found[1]!)
    }
  }

  either(): Value {
    let left = this.#compared()
    while (this.#take('and')) {
      const right = pointsOf(this.#compared())
      left = pointsOf(left).filter((one) => right.some((other) => isSame(one.labels, other.labels)))
    }
    return left
  }

  expectEnd(): void {
    if (this.#at < this.#tokens.length) throw new Error(`Not understood from here: ${this.#tokens[this.#at]}`)
  }

  #compared(): Value {
    const left = this.#sum()
    const isTrue = COMPARISONS[this.#peek()]
    if (isTrue === undefined) return left
    this.#at++
    return join(left, (a, b) => (isTrue(a, b) ? a : null), this.#sum())
  }

  #sum(): Value {
    let left = this.#product()
    for (let sign = this.#peek(); sign === '+' || sign === '-'; sign = this.#peek())
      left = this.#joined(left, () => this.#product())
    return left
  }

  #product(): Value {
    let left = this.#single()
    for (let sign = this.#peek(); sign === '*' || sign === '/'; sign = this.#peek())
      left = this.#joined(left, () => this.#single())
    return left
  }

  #joined(left: Value, right: () => Value): Value {
    return join(left, ARITHMETIC[this.#next()]!, right())
  }

  #single(): Value {
    const token = this.#next()
    if (/^\d/.test(token)) return Number(token)
    if (token === '(') {
      const inner = this.either()
      this.#expect(')')
      return inner
    }
    if (token === 'time') {
      this.#expect('(')
      this.#expect(')')
      return this.#last.atMs / 1_000
    }
    if (token === 'increase') return this.#increase()
    const aggregate = AGGREGATES[token]
    return aggregate === undefined ? this.#select(token, this.#last) : this.#aggregate(aggregate)
  }

  #aggregate(of: (values: readonly number[]) => number): Value {
    const by = this.#take('by') ? this.#names() : []
    this.#expect('(')
    const points = pointsOf(this.either())
    this.#expect(')')
    const groups = new Map<string, { labels: Labels; values: number[] }>()
    for (const { labels, value } of points) {
      const own = Object.fromEntries(by.map((name) => [name, labels[name] ?? '']))
      const group = groups.get(JSON.stringify(own)) ?? { labels: own, values: [] }
      group.values.push(value)
      groups.set(JSON.stringify(own), group)
    }
    return [...groups.values()].map(({ labels, values }) => ({ labels, value: of(values) }))
  }

  /** From the first reading within the time to the last. */
  #increase(): Value {
    this.#expect('(')
    const name = this.#next()
    const from = this.#at
    const points = this.#select(name, this.#last)
    this.#expect('[')
    const [, length, unit] = /^(\d+)([smhd])$/.exec(this.#next()) ?? []
    const sinceMs = this.#last.atMs - Number(length) * UNIT_MS[unit!]!
    const first = this.#history.find(({ atMs }) => atMs >= sinceMs)!
    const end = this.#at
    this.#at = from
    const before = this.#select(name, first)
    this.#at = end
    this.#expect(']')
    this.#expect(')')
    return points.map(({ labels, value }) => {
      const then = before.find((each) => isSame(each.labels, labels))?.value ?? 0
      return { labels, value: value - then }
    })
  }

  #select(name: string, { samples }: Scrape): readonly Point[] {
    const matchers = this.#take('{') ? this.#matchers() : []
    return samples.filter((sample) => sample.name === name && matchers.every((fits) => fits(sample.labels)))
  }

  #matchers(): ((labels: Labels) => boolean)[] {
    const found: ((labels: Labels) => boolean)[] = []
    do {
      const [name, sign, quoted] = [this.#next(), this.#next(), this.#next()]
      const wanted = JSON.parse(quoted) as string
      const test = sign.endsWith('~') ? new RegExp(`^(?:${wanted})$`) : null
      const isEqual = (labels: Labels) => test?.test(labels[name] ?? '') ?? (labels[name] ?? '') === wanted
      found.push(sign.startsWith('!') ? (labels) => !isEqual(labels) : isEqual)
    } while (this.#take(','))
    this.#expect('}')
    return found
  }

  #names(): string[] {
    const names: string[] = []
    this.#expect('(')
    do names.push(this.#next())
    while (this.#take(','))
    this.#expect(')')
    return names
  }

  get #last(): Scrape {
    return this.#history.at(-1)!
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? ''
  }

  #next(): string {
    const token = this.#tokens[this.#at++]
    if (token === undefined) throw new Error('The expression ends too early.')
    return token
  }

  #take(token: string): boolean {
    if (this.#peek() !== token) return false
    this.#at++
    return true
  }

  #expect(token: string): void {
    if (!this.#take(token)) throw new Error(`Expected ${token}, and there is ${this.#peek()}.`)
  }
}

function pointsOf(value: Value): readonly Point[] {
  if (typeof value !== 'number') return value
  throw new Error('A number stands where figures should.')
}

function isSame(one: Labels, other: Labels): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => one[name] === other[name])
}

/** Figures are joined with those of the same labels. What comes to null is left out. */
function join(left: Value, by: (a: number, b: number) => number | null, right: Value): Value {
  if (typeof left === 'number' && typeof right === 'number') {
    const value = by(left, right)
    return value === null ? [] : value
  }
  if (typeof left === 'number')
    return kept((right as readonly Point[]).map((each) => [each.labels, by(left, each.value)]))
  if (typeof right === 'number') return kept(left.map((each) => [each.labels, by(each.value, right)]))
  return kept(
    left.flatMap((each): [Labels, number | null][] => {
      const other = right.find(({ labels }) => isSame(labels, each.labels))
      return other === undefined ? [] : [[each.labels, by(each.value, other.value)]]
    }),
  )
}

function kept(points: readonly (readonly [Labels, number | null])[]): Point[] {
  return points.flatMap(([labels, value]) => (value === null ? [] : [{ labels, value }]))
}
