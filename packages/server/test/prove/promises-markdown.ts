// docs/promises.md: each promise beside its tests, its figure and its mutants. `npm run docs` writes it.
import type { Mutant } from './mutants/mutant.ts'
import { MUTANTS } from './mutants/all-mutants.ts'
import { PROMISES } from './promises/all-promises.ts'
import type { Proof, ServicePromise } from './promises/promise.ts'

/** What a run has counted. */
export interface Figure {
  readonly tests: number
  /** Cases inside the tests; a test that counts none is one. */
  readonly runs: number
  readonly violations: number
}

/** The last run that was kept, per size. `npm run prove -- --keep` writes it. */
export interface KeptFigures {
  readonly small: KeptRun | null
  readonly long: KeptRun | null
}

interface KeptRun {
  readonly on: string
  readonly mutants: { readonly caught: number; readonly of: number }
  readonly promises: Readonly<Record<string, Figure>>
}

const INTRODUCTION = `# What Kestrel promises, and what proves it

Written by \`npm run docs\` from \`packages/server/test/prove\`. \`npm run prove\` runs every proof and every mutant and prints
this as a table; \`npm run prove -- --only paid-once\` one of them, \`--seed N\` again with the same chance, \`--long\` with the
large sizes that are named here. The proofs are a part of \`npm test\`, which ends with the mutants.

A **mutant** is the program with one deliberate mistake, made while it is loaded: nothing in the program can switch it on.
The named test must fail by what it asserts. A mutant that survives means that a promise is not proved, and fails the run.
`

export function promisesMarkdown(kept: KeptFigures): string {
  const sections = PROMISES.map((promise) => section(promise, kept))
  return [INTRODUCTION, runs(kept), ...sections].filter((each) => each !== '').join('\n')
}

function runs({ small, long }: KeptFigures): string {
  const lines = [line('npm run prove', small), line('npm run prove -- --long', long)].filter((each) => each !== null)
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

function line(command: string, run: KeptRun | null): string | null {
  if (run === null) return null
  const figures = Object.values(run.promises)
  const violations = figures.reduce((sum, each) => sum + each.violations, 0)
  const { caught, of } = run.mutants
  return `- \`${command}\`, last kept on ${run.on}: ${figures.length} promises, ${violations} violations, ${caught} of ${of} mutants caught.`
}

function section(promise: ServicePromise, kept: KeptFigures): string {
  const own = MUTANTS.filter((mutant) => mutant.promise === promise.id)
  return `## ${promise.id}

${promise.says}

${[...figuresOf(promise.id, kept), ...promise.proofs.map(proofLine), ...own.map(mutantLine)].join('\n')}
`
}

function figuresOf(id: string, { small, long }: KeptFigures): string[] {
  const told = (run: KeptRun | null, name: string) => {
    const figure = run?.promises[id]
    if (figure === undefined) return []
    return [`- ${name}: ${count(figure.tests)} tests, ${count(figure.runs)} runs, ${figure.violations} violations`]
  }
  return [...told(small, 'Figure'), ...told(long, 'At the large size')]
}

const count = (number: number) => number.toLocaleString('en-GB')

function proofLine({ file, tests, long }: Proof): string {
  const part = tests === undefined ? '' : `, the tests of “${tests}”`
  const larger = Object.entries(long ?? {}).map(([name, value]) => `${name}=${value}`)
  return `- Proof: \`${file}\`${part}${larger.length === 0 ? '' : ` (long: ${larger.join(', ')})`}`
}

function mutantLine({ name, mistake, caughtBy }: Mutant): string {
  return `- Mutant \`${name}\`: ${mistake} Caught by \`${caughtBy.file}\`, “${caughtBy.test}”.`
}
