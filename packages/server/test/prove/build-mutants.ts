// Builds each mutant's test together with the whole program, with the mistake in it, as one file: loading four hundred files for
// each of them took longer than all of their tests.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { type Plugin, build as esbuild } from 'esbuild'

import { mutatedPath, mutatedText } from './apply-mutant.ts'
import type { Mutant } from './mutants/mutant.ts'

const ROOT = join(import.meta.dirname, '../../../..')
/** From here npm packages are found, and no build of the program removes it. */
export const FOLDER = join(ROOT, 'packages/server/dist/.mutants')
export const BUNDLE = /\.bundle\.mjs$/

const AT_ONCE = 4

/** Returns the names of those whose mistake is in what was built. */
export async function buildMutants(mutants: readonly Mutant[]): Promise<ReadonlySet<string>> {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const applied = new Set<string>()
  const left = [...mutants]
  const work = async () => {
    for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
      if (await buildOne(mutant)) applied.add(mutant.name)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return applied
}

async function buildOne(mutant: Mutant): Promise<boolean> {
  let isApplied = false
  const { file, test, withinMs, env = {} } = mutant.caughtBy
  await esbuild({
    entryPoints: [join(ROOT, file)],
    outfile: join(FOLDER, `${mutant.name}.bundle.mjs`),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'silent',
    plugins: [npmPackagesApart, sourcesWith(mutant, () => (isApplied = true))],
  })
  const limits = withinMs === undefined ? '' : `vi.setConfig({ testTimeout: ${withinMs}, hookTimeout: ${withinMs} })\n`
  // A part of the file's tests is wanted, and the others are skipped.
  const stub = `import { beforeEach, vi } from 'vitest'
${limits}const named = (task) => (task.suite?.name ? named(task.suite) + ' > ' + task.name : task.name)
beforeEach(({ task, skip }) => void (named(task).includes(${JSON.stringify(test)}) || skip()))
Object.assign(process.env, ${JSON.stringify(env)})
await import('./${mutant.name}.bundle.mjs')
`
  writeFileSync(join(FOLDER, `${mutant.name}.test.mjs`), stub)
  return isApplied
}

/** Ours are built in; what comes from npm is loaded as it is. */
const npmPackagesApart: Plugin = {
  name: 'npm packages apart',
  setup: (build) => {
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@kestrel/') ? undefined : { path, external: true },
    )
  },
}

const texts = new Map<string, string | null>()

/** A file that asks where it lies is told where its source does. Null: it does not ask. */
function placed(path: string): string | null {
  let text = texts.get(path)
  if (text === undefined) {
    text = readFileSync(path, 'utf8')
    text = text.includes('import.meta.') ? inPlace(path, text) : null
    texts.set(path, text)
  }
  return text
}

const inPlace = (path: string, text: string) =>
  text
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
    .replaceAll('import.meta.filename', JSON.stringify(path))
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))

function sourcesWith(mutant: Mutant, onApplied: () => void): Plugin {
  const mutated = mutatedPath(mutant)
  return {
    name: 'sources with a mistake',
    setup: (build) => {
      build.onLoad({ filter: /packages\/.*\.ts$/ }, ({ path }) => {
        if (path === mutated) {
          onApplied()
          return { contents: inPlace(path, mutatedText(mutant)), loader: 'ts' }
        }
        const text = placed(path)
        return text === null ? undefined : { contents: text, loader: 'ts' }
      })
    },
  }
}
