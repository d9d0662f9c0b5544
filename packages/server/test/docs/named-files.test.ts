// What the documents name is there: files, npm scripts and commands.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { createProgram } from '../../src/cli/command-line.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/words.md',
  'docs/operations.md',
  'docs/payout-states.md',
  'docs/promises.md',
  'packages/bank/README.md',
  'packages/dashboard/README.md',
  'examples/shop/README.md',
  ...readdirSync(join(ROOT, 'docs/decisions')).map((name) => `docs/decisions/${name}`),
].map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

const FILES = ['packages', 'examples', 'scripts', 'bench', 'deploy', 'docs']
  .flatMap((top) =>
    readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' })
      .filter((name) => !/(^|\/)(node_modules|dist)\//.test(name))
      .map((name) => `${top}/${name}`),
  )
  .concat(readdirSync(ROOT))

/** What builds make. */
const BUILT = ['dist/studio-thread.mjs', 'assets/']

/** A name in a document may be the end of a path: the document says in which folder its names begin. */
const isThere = (name: string) => {
  const plain = name.replace(/^\.?\//, '').replace(/\/$/, '')
  return FILES.some((path) => path === plain || path.endsWith(`/${plain}`))
}

describe.each(DOCUMENTS)('$path', ({ text }) => {
  const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!)

  it('names only files and folders that there are', () => {
    const named = quoted.filter((each) => /^[\w./-]+\.(tsx?|mjs|sql|md|css)$|^[a-z][\w-]*(\/[\w-]+)*\/$/.test(each))
    const linked = [...text.matchAll(/\]\(([^)#:]+)(#[^)]*)?\)/g)].map((match) => match[1]!.replace(/^(\.\.\/)+/, ''))
    expect([...new Set([...named, ...linked])].filter((each) => !isThere(each) && !BUILT.includes(each))).toEqual([])
  })

  it('names only npm scripts and commands that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object }
    const run = [...text.matchAll(/npm run ([a-z:]+)/g)].map((match) => match[1]!)
    const own = ['build', 'weigh']
    expect(run.filter((name) => !(name in scripts) && !own.includes(name))).toEqual([])
    const program = createProgram({})
    const commands = [...text.matchAll(/(?:`|npx )kestrel ([a-z]+)/g)].map((match) => match[1]!)
    expect(commands.filter((name) => !program.commands.some((each) => each.name() === name))).toEqual([])
  })
})
