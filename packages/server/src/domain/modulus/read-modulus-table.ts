// Turns Vocalink's text files into the table. Anything that does not read exactly as the specification says (2.3.2) is
// refused: a half-understood table would refuse good recipients, or pass bad ones, and nobody would notice.
import { CHECK_METHODS, MODULUS_EXCEPTIONS } from './weight-table.ts'
import type {
  ModulusCheck,
  ModulusException,
  ModulusTable,
  SortCodeRange,
  Substitutes,
  Weights,
} from './weight-table.ts'

export class ModulusTableError extends Error {
  override readonly name = 'ModulusTableError'
}

type TableName = 'weight' | 'substitution'

const WEIGHT_LINE =
  /^(?<first>\d{6}) +(?<last>\d{6}) +(?<methodText>[A-Z\d]+)(?<weightText>(?: +-?\d{1,3}){14})(?: +(?<exceptionText>\d{1,2}))?$/
const SUBSTITUTE_LINE = /^(?<original>\d{6}) +(?<substitute>\d{6})$/

export function readModulusTable(files: {
  readonly version: string
  readonly weightTable: string
  readonly substitutionTable: string
}): ModulusTable {
  return Object.freeze({
    version: files.version,
    ranges: readRanges(files.weightTable),
    substitutes: readSubstitutes(files.substitutionTable),
  })
}

function readRanges(text: string): readonly SortCodeRange[] {
  const ranges: SortCodeRange[] = []
  const readWeights = weightReader()
  for (const { line, number } of linesOf(text)) {
    const { first, last, check } = readWeightLine({ line, number, readWeights })
    const above = ranges.at(-1)
    if (above !== undefined && above.first === first && above.last === last) {
      if (above.checks.length > 1) throw unreadable({ table: 'weight', number }, 'is a third check for one range')
      ranges[ranges.length - 1] = frozenRange({ first, last, checks: [above.checks[0], check] })
      continue
    }
    if (first > last) throw unreadable({ table: 'weight', number }, 'ends its range before it starts')
    // The search needs the order, which the specification promises (2.3).
    if (above !== undefined && first <= above.last) {
      throw unreadable({ table: 'weight', number }, 'starts inside the range above it, or before it')
    }
    ranges.push(frozenRange({ first, last, checks: [check] }))
  }
  if (ranges.length === 0) throw empty('weight')
  return Object.freeze(ranges)
}

function frozenRange({ first, last, checks }: SortCodeRange): SortCodeRange {
  return Object.freeze({ first, last, checks: Object.freeze(checks) })
}

/** Over a thousand rows share about sixty lists of weights. Each list is read once, which saves a third of the time. */
function weightReader(): (text: string) => Weights {
  const known = new Map<string, Weights>()
  return (text) => {
    const weights =
      known.get(text) ??
      Object.freeze(
        text
          .trim()
          .split(/ +/)
          .map((each) => Number.parseInt(each, 10)),
      )
    known.set(text, weights)
    return weights
  }
}

function readWeightLine({
  line,
  number,
  readWeights,
}: {
  readonly line: string
  readonly number: number
  readonly readWeights: (text: string) => Weights
}): { first: string; last: string; check: ModulusCheck } {
  const { first, last, methodText, weightText, exceptionText } = WEIGHT_LINE.exec(line)?.groups ?? {}
  if (first === undefined || last === undefined || weightText === undefined) {
    throw unreadable(
      { table: 'weight', number },
      'is not two sort codes, a method, 14 weights and perhaps an exception',
    )
  }
  const method = CHECK_METHODS.find((each) => each === methodText)
  if (method === undefined)
    throw unreadable({ table: 'weight', number }, `names the method ${methodText}, which is unknown`)
  const weights = readWeights(weightText)
  // Double alternate adds the digits of each product, and those of a product below zero are defined nowhere.
  if (method === 'DBLAL' && weights.some((weight) => weight < 0)) {
    throw unreadable({ table: 'weight', number }, 'has a negative weight in a double alternate check')
  }
  const exception = readException(exceptionText, number)
  return { first, last, check: Object.freeze({ method, weights, exception }) }
}

function readException(text: string | undefined, number: number): ModulusException | null {
  if (text === undefined) return null
  const wanted = Number.parseInt(text, 10)
  const found = MODULUS_EXCEPTIONS.find((each) => each === wanted)
  if (found === undefined) throw unreadable({ table: 'weight', number }, `names exception ${text}, which is unknown`)
  return found
}

function readSubstitutes(text: string): Substitutes {
  const entries = linesOf(text).map(({ line, number }) => {
    const { original, substitute } = SUBSTITUTE_LINE.exec(line)?.groups ?? {}
    if (original === undefined || substitute === undefined) {
      throw unreadable({ table: 'substitution', number }, 'is not two sort codes')
    }
    return [original, substitute] as const
  })
  if (entries.length === 0) throw empty('substitution')
  return Object.freeze(Object.fromEntries(entries))
}

/** The lines with something on them, numbered as an editor shows them. Vocalink's end with a carriage return. */
function linesOf(text: string): { readonly line: string; readonly number: number }[] {
  return text
    .split('\n')
    .map((line, index) => ({ line: line.trimEnd(), number: index + 1 }))
    .filter(({ line }) => line !== '')
}

function unreadable(
  { table, number }: { readonly table: TableName; readonly number: number },
  trouble: string,
): ModulusTableError {
  return new ModulusTableError(
    `Line ${number} of the ${table} table ${trouble}. Use Vocalink's file as it was downloaded, or update Kestrel.`,
  )
}

/** An empty file is a failed download. Without weights every account would be unknown, and so accepted. */
function empty(table: TableName): ModulusTableError {
  return new ModulusTableError(`The ${table} table is empty. Download it from Vocalink again.`)
}
