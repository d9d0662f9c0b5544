// The program's own modules, for a bench: bundled once, because Node 20 does not read TypeScript.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { build } from 'esbuild'

import { withSharedShapes } from '../../scripts/lib/shared-shapes.mjs'

const ROOT = join(import.meta.dirname, '../..')
export const SRC = join(ROOT, 'packages/server/src')

/** Where the program finds its migrations and pages from. */
export const DIST = join(ROOT, 'packages/server/dist')

/** `exports` is TypeScript that exports what the bench needs. */
export async function loadKestrel(name, exports, folder = join(ROOT, 'node_modules/.cache/kestrel-bench')) {
  const { outputFiles } = await build({
    stdin: { contents: exports, resolveDir: ROOT },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    alias: {
      '@kestrel/contract': join(ROOT, 'packages/contract/src/index.ts'),
      '@kestrel/bank/outcomes': join(ROOT, 'packages/bank/src/outcomes.ts'),
    },
    write: false,
  })
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${name}.mjs`)
  await writeFile(file, withSharedShapes(outputFiles[0].text))
  return import(pathToFileURL(file).href)
}

export async function timed(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export function print(line) {
  process.stdout.write(`${line}\n`)
}
