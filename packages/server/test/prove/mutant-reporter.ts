// Says of each mutant whether the tests caught it, while they run, and writes all of it down for whoever asked.
import { rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

import type { Reporter, TestModule } from 'vitest/node'

import { FOLDER } from './build-mutants.ts'
import type { Mutant } from './mutants/mutant.ts'

export interface MutantResult {
  readonly name: string
  readonly promise: string
  readonly isCaught: boolean
  /** Why it was not, or by which failure it was. */
  readonly why: string
  readonly ms: number
}

interface Failure {
  readonly name?: string | undefined
  readonly message: string
}

export class MutantReporter implements Reporter {
  readonly #mutants: readonly Mutant[]
  readonly #applied: ReadonlySet<string>
  readonly #results: MutantResult[] = []

  constructor(mutants: readonly Mutant[], applied: ReadonlySet<string>) {
    this.#mutants = mutants
    this.#applied = applied
  }

  onTestModuleEnd(module: TestModule): void {
    const mutant = this.#mutants.find(({ name }) => `${name}.test.mjs` === basename(module.moduleId))
    if (mutant === undefined) return
    const verdict = judge(mutant, { module, isApplied: this.#applied.has(mutant.name) })
    const ms = Math.round(module.diagnostic().duration + module.diagnostic().collectDuration)
    this.#results.push({ name: mutant.name, promise: mutant.promise, ms, ...verdict })
    const mark = verdict.isCaught ? '✔ caught  ' : '✖ SURVIVED'
    process.stdout.write(`  ${mark} ${mutant.name.padEnd(36)} ${firstLine(verdict.why)}\n`)
  }

  onTestRunEnd(): void {
    const file = process.env['MUTANTS_OUT']
    if (file !== undefined) writeFileSync(file, JSON.stringify(this.#results))
    rmSync(FOLDER, { recursive: true, force: true })
  }
}

const firstLine = (text: string) => text.split('\n')[0]!.slice(0, 110)

/** Only a wanted test that fails by what it asserts, or by the error that is expected, has caught anything. */
function judge(
  mutant: Mutant,
  { module, isApplied }: { module: TestModule; isApplied: boolean },
): Pick<MutantResult, 'isCaught' | 'why'> {
  const { test, error } = mutant.caughtBy
  if (!isApplied) return { isCaught: false, why: 'The test does not load the file that it changes.' }
  const wanted = [...module.children.allTests()].filter(({ fullName }) => fullName.includes(test))
  if (wanted.length === 0) {
    const errors = module.errors().map(({ message }) => message)
    return { isCaught: false, why: `No test is called "${test}". ${errors.join(' ')}` }
  }
  const failures: Failure[] = [...wanted.flatMap((each) => each.result().errors ?? []), ...module.errors()]
  const isExpected = ({ name, message }: Failure) =>
    error === undefined ? name === 'AssertionError' : message.includes(error)
  const caught = failures.find(isExpected)
  if (caught !== undefined) return { isCaught: true, why: caught.message }
  const other = failures[0]
  return {
    isCaught: false,
    why:
      other === undefined
        ? 'The test stays green.'
        : `It fails by something else: ${other.name ?? 'Error'}: ${other.message}`,
  }
}
