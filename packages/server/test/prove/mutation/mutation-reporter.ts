// Counts which small mistakes the tests have noticed, source by source, and names those that they have not.
import { rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

import type { Reporter, TestModule } from 'vitest/node'

import { FOLDER, type Tried } from './build-mistakes.ts'

export interface MutationScore {
  readonly file: string
  readonly noticed: number
  readonly of: number
  readonly survivors: readonly string[]
}

export class MutationReporter implements Reporter {
  readonly #tried: ReadonlyMap<string, Tried>
  readonly #noticed = new Set<string>()
  #ended = 0

  constructor(tried: ReadonlyMap<string, Tried>) {
    this.#tried = tried
  }

  onTestModuleEnd(module: TestModule): void {
    const hasFailed = module.state() === 'failed' || module.errors().length > 0
    if (hasFailed) this.#noticed.add(basename(module.moduleId, '.test.mjs'))
    this.#ended += 1
    if (this.#ended % 100 === 0) process.stdout.write(`  ${this.#ended} of ${this.#tried.size}\n`)
  }

  onTestRunEnd(): void {
    const files = [...new Set([...this.#tried.values()].map(({ file }) => file))].toSorted()
    const scores = files.map((file) => this.#scoreOf(file))
    const out = process.env['MUTATION_OUT']
    if (out !== undefined) writeFileSync(out, JSON.stringify(scores))
    rmSync(FOLDER, { recursive: true, force: true })
  }

  #scoreOf(file: string): MutationScore {
    const own = [...this.#tried].filter(([, tried]) => tried.file === file)
    const left = own.filter(([name]) => !this.#noticed.has(name)).map(([, tried]) => tried)
    const survivors = left
      .toSorted((one, other) => one.start - other.start)
      .map(({ line, from, to }) => `${file}.ts:${line} ${short(from)} → ${short(to)}`)
    return { file, noticed: own.length - left.length, of: own.length, survivors }
  }
}

const short = (text: string) => {
  const words = text.replaceAll(/\s+/g, ' ')
  return words.length > 60 ? `${words.slice(0, 60)}…` : words === '' ? '(nothing)' : words
}
