// Builds the tests of each source once per small mistake, as one file that needs nothing else of ours.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { build } from 'esbuild'

import { type MutatedSource, MUTATED_SOURCES } from './mutated-sources.ts'
import { type SmallMistake, smallMistakesIn } from './small-mistakes.ts'

const SERVER = join(import.meta.dirname, '../../..')
export const FOLDER = join(SERVER, 'dist/.mutation')
export const BUNDLE = /\.bundle\.mjs$/

export interface Tried extends SmallMistake {
  readonly file: string
  /** What stood there. */
  readonly from: string
}

const AT_ONCE = 4

/** By the name of the test file that is built for it. `only`: a part of the source's path. */
export async function buildMistakes(only: string): Promise<ReadonlyMap<string, Tried>> {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const tried = new Map<string, Tried>()
  const left = MUTATED_SOURCES.filter(({ file }) => file.includes(only)).flatMap((source) => {
    const text = readFileSync(join(SERVER, 'src', `${source.file}.ts`), 'utf8')
    return smallMistakesIn(text).map((mistake) => ({ source, text, mistake }))
  })
  let made = 0
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const { source, text, mistake } = next
      const name = String(made++).padStart(5, '0')
      const mutated = text.slice(0, mistake.start) + mistake.to + text.slice(mistake.end)
      if (!(await buildOne(name, source, mutated))) continue
      tried.set(name, { ...mistake, file: source.file, from: text.slice(mistake.start, mistake.end) })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return tried
}

/** False for what is no program any more. */
async function buildOne(name: string, { file, tests }: MutatedSource, mutated: string): Promise<boolean> {
  const path = join(SERVER, 'src', `${file}.ts`)
  try {
    await build({
      stdin: {
        contents: tests.map((test) => `import ${JSON.stringify(join(SERVER, 'src', `${test}.test.ts`))}`).join('\n'),
        resolveDir: SERVER,
      },
      outfile: join(FOLDER, `${name}.bundle.mjs`),
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      logLevel: 'silent',
      plugins: [
        {
          name: 'one small mistake',
          setup: (built) => {
            built.onResolve({ filter: /^[^./]/ }, ({ path: wanted, kind }) =>
              kind === 'entry-point' || wanted.startsWith('@kestrel/') ? undefined : { path: wanted, external: true },
            )
            built.onLoad({ filter: /\.ts$/ }, (args) =>
              args.path === path ? { contents: mutated, loader: 'ts' } : undefined,
            )
          },
        },
      ],
    })
  } catch {
    return false
  }
  // One failure is enough: the tests after it are skipped.
  const stub = `import { afterEach, beforeEach } from 'vitest'
let hasFailed = false
beforeEach(({ skip }) => void (hasFailed && skip()))
afterEach(({ task }) => void (hasFailed ||= task.result?.state === 'fail'))
await import('./${name}.bundle.mjs')
`
  writeFileSync(join(FOLDER, `${name}.test.mjs`), stub)
  return true
}
