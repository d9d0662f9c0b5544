// Counts what the proofs of promises ran, and says how far they are. `npm run prove` asks for it; what it counted is written to
// the file that PROOFS_OUT names.
import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

import type { Reporter, TestModule, TestSpecification } from 'vitest/node'

import { casesOf } from '../support/cases.ts'

/** A test as it ended. */
export interface ProvedTest {
  readonly file: string
  readonly name: string
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending'
  readonly cases: number
  readonly error: string | null
}

const ROOT = join(import.meta.dirname, '../../../..')

export default class ProofReporter implements Reporter {
  readonly #tests: ProvedTest[] = []
  #files = 0
  #done = 0

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.length
  }

  onTestModuleEnd(module: TestModule): void {
    this.#done += 1
    const file = relative(ROOT, module.moduleId)
    const tests = [...module.children.allTests()].map((test): ProvedTest => {
      const { state, errors } = test.result()
      return { file, name: test.fullName, state, cases: casesOf(test.meta()), error: errors?.[0]?.message ?? null }
    })
    // A file that cannot be set up proves nothing.
    const broken = module.errors().map(({ message }): ProvedTest => {
      return { file, name: 'set-up and end', state: 'failed', cases: 1, error: message }
    })
    this.#tests.push(...tests, ...broken)
    const failed = [...tests, ...broken].filter(({ state }) => state === 'failed')
    const took = (module.diagnostic().duration / 1_000).toFixed(1)
    const mark = failed.length === 0 ? '✔' : '✖'
    process.stdout.write(`  ${mark} ${this.#done} of ${this.#files}  ${file}  ${tests.length} tests, ${took} s\n`)
    for (const { name, error } of failed) process.stdout.write(`      ${name}\n      ${error ?? ''}\n`)
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly { message: string }[]): void {
    for (const { message } of errors) process.stdout.write(`  ✖ ${message}\n`)
    const out = process.env['PROOFS_OUT']
    if (out !== undefined) writeFileSync(out, JSON.stringify({ tests: this.#tests, errors: errors.length }))
  }
}
