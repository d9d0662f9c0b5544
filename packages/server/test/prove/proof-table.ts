// What the proofs and the mutants came to, as a table and as figures to be kept.
import type { MutantResult } from './mutant-reporter.ts'
import { MUTANTS } from './mutants/all-mutants.ts'
import type { Figure } from './promises-markdown.ts'
import { PROMISES } from './promises/all-promises.ts'
import type { Proof } from './promises/promise.ts'
import type { ProvedTest } from './proof-reporter.ts'

export interface ProvedPromise extends Figure {
  readonly id: string
  readonly says: string
  readonly proofs: number
  readonly mutants: { readonly caught: number; readonly of: number }
  readonly survivors: readonly string[]
}

/** The promises whose name, or one of whose proofs or mutants, has the text in it. */
export function promisesLike(only: string): string[] {
  return PROMISES.filter(
    ({ id, proofs }) =>
      id.includes(only) ||
      proofs.some(({ file }) => file.includes(only)) ||
      MUTANTS.some(({ name, promise }) => promise === id && name.includes(only)),
  ).map(({ id }) => id)
}

export function isMutant(name: string): boolean {
  return MUTANTS.some((mutant) => mutant.name === name)
}

export function filesOf(ids: readonly string[]): string[] {
  return [...new Set(PROMISES.filter(({ id }) => ids.includes(id)).flatMap(({ proofs }) => proofs.map(fileOf)))]
}

/** The variables that make the proofs of these promises large. */
export function longSizes(ids: readonly string[]): Record<string, string> {
  const proofs = PROMISES.filter(({ id }) => ids.includes(id)).flatMap((promise) => promise.proofs)
  return Object.assign({}, ...proofs.map(({ long = {} }) => long)) as Record<string, string>
}

const fileOf = ({ file }: Proof) => file

export function provedPromises(
  ids: readonly string[],
  { tests, mutants }: { tests: readonly ProvedTest[]; mutants: readonly MutantResult[] },
): ProvedPromise[] {
  return PROMISES.filter(({ id }) => ids.includes(id)).map(({ id, says, proofs }) => {
    const own = tests.filter((test) => test.state !== 'skipped' && proofs.some((proof) => isOf(proof, test)))
    const tried = mutants.filter(({ promise }) => promise === id)
    return {
      id,
      says,
      proofs: proofs.length,
      tests: own.length,
      runs: own.reduce((sum, { cases }) => sum + cases, 0),
      violations: own.filter(({ state }) => state !== 'passed').length,
      mutants: { caught: tried.filter(({ isCaught }) => isCaught).length, of: tried.length },
      survivors: tried.filter(({ isCaught }) => !isCaught).map(({ name, why }) => `${name}: ${why}`),
    }
  })
}

/** What goes wrong with a file as a whole goes wrong with each of its proofs. */
function isOf({ file, tests = '' }: Proof, test: ProvedTest): boolean {
  return file === test.file && (test.name.includes(tests) || test.name === 'set-up and end')
}

export function proofTable(promises: readonly ProvedPromise[]): string {
  const rows = promises.map(({ id, proofs, tests, runs, violations, mutants }) => [
    id,
    `${proofs} files`,
    count(tests),
    count(runs),
    count(violations),
    mutants.of === 0 ? '–' : `${mutants.caught}/${mutants.of}`,
  ])
  const all = [['promise', 'proof', 'tests', 'runs', 'violations', 'mutants caught'], ...rows]
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  const text = (row: readonly string[]) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  ')
  return all.map((row) => `  ${text(row)}`).join('\n')
}

const count = (number: number) => number.toLocaleString('en-GB')
