// docs/promises.md: each promise beside its tests, its figure and its mutants. `npm run docs` writes it.
import { markdownTable } from '../../src/http/docs/markdown.ts'
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

/** What the last run of each promise that was kept has counted, by its name. `npm run prove -- --keep` writes it. */
export interface KeptFigures {
  readonly small: Readonly<Record<string, KeptFigure>>
  readonly long: Readonly<Record<string, KeptFigure>>
  /** What `npm run prove -- --mistakes --keep` has counted. */
  readonly mistakes?: { readonly on: string; readonly scores: readonly MistakeScore[] }
}

/** How many of the small mistakes in a source its tests have noticed. */
interface MistakeScore {
  readonly file: string
  readonly noticed: number
  readonly of: number
}

interface KeptFigure extends Figure {
  /** The day of the run. */
  readonly on: string
  readonly mutants: { readonly caught: number; readonly of: number }
}

const INTRODUCTION = `# What Kestrel promises, and what proves it

Written by \`npm run docs\` from \`packages/server/test/prove\`. \`npm run prove\` runs every proof and every mutant and prints
this as a table; \`npm run prove -- --only paid-once\` one of them, \`--seed N\` again with the same chance, \`--long\` with the
large sizes that are named here. The proofs are a part of \`npm test\`, which ends with the mutants.

A **mutant** is the program with one deliberate mistake, made while it is loaded: nothing in the program can switch it on.
The named test must fail by what it asserts. A mutant that survives means that a promise is not proved, and fails the run.
`

export function promisesMarkdown(kept: KeptFigures): string {
  return [INTRODUCTION, ...PROMISES.map((promise) => section(promise, kept)), ...mistakesOf(kept)].join('\n')
}

function mistakesOf({ mistakes }: KeptFigures): string[] {
  if (mistakes === undefined) return []
  const { on, scores } = mistakes
  const all = { file: 'together', noticed: sum(scores, 'noticed'), of: sum(scores, 'of') }
  const row = ({ file, noticed, of: tried }: MistakeScore) => [
    file,
    `${count(noticed)} of ${count(tried)}`,
    `${Math.floor((100 * noticed) / tried)}%`,
  ]
  return [
    `## Small mistakes

\`npm run prove -- --mistakes\` makes every small mistake that its rules know in the pure rules of money, one at a time: another operator, another
number, a condition that always holds, a step left out. This is how many of them the tests of each source noticed on ${on}; fewer than 85%
together fail the run.

${markdownTable(['Source', 'Noticed', ''], [...scores, all].map(row))}
`,
  ]
}

const sum = (scores: readonly MistakeScore[], name: 'noticed' | 'of') =>
  scores.reduce((total, score) => total + score[name], 0)

function section(promise: ServicePromise, kept: KeptFigures): string {
  const own = MUTANTS.filter((mutant) => mutant.promise === promise.id)
  return `## ${promise.id}

${promise.says}

${[...figuresOf(promise.id, kept), ...besides(promise), ...promise.proofs.map(proofLine), ...own.map(mutantLine)].join('\n')}
`
}

const besides = ({ besides: runs = [] }: ServicePromise) => runs.map((run) => `- Besides: ${run}`)

function figuresOf(id: string, { small, long }: KeptFigures): string[] {
  const told = (figure: KeptFigure | undefined, name: string) => {
    if (figure === undefined) return []
    const { tests, runs, violations, mutants, on } = figure
    const caught = `${mutants.caught} of ${mutants.of} mutants caught`
    return [`- ${name}: ${count(tests)} tests, ${count(runs)} runs, ${violations} violations, ${caught} (${on})`]
  }
  return [...told(small[id], 'Figure'), ...told(long[id], 'Figure at the large size')]
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
