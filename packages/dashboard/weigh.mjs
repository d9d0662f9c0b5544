// `npm run weigh -w packages/dashboard`: how much JavaScript the first screens need, gzipped, from the build's manifest.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const DIST = join(import.meta.dirname, 'dist')
const BUDGET_KB = 200

/** The pages somebody may see first: the frame of the application comes with each. */
const FIRST_SCREENS = {
  'sign-in': ['src/pages/sign-in/sign-in-page.tsx'],
  'business sign-in': ['src/pages/sign-in/business-sign-in-page.tsx'],
  overview: ['src/shell/gate.tsx', 'src/pages/overview/overview-page.tsx'],
}

/** Kilobytes of gzipped JavaScript for each first screen. */
export function weighFirstScreens(dist = DIST) {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))
  const weights = {}
  for (const [screen, pages] of Object.entries(FIRST_SCREENS)) {
    const files = new Set()
    for (const entry of ['index.html', ...pages]) collect(manifest, entry, files)
    const bytes = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0)
    weights[screen] = Math.round(bytes / 102.4) / 10
  }
  return weights
}

function collect(manifest, name, files) {
  const chunk = manifest[name]
  if (chunk === undefined) throw new Error(`${name} is not in the manifest: has the page moved?`)
  if (files.has(chunk.file)) return
  if (chunk.file.endsWith('.js')) files.add(chunk.file)
  for (const imported of chunk.imports ?? []) collect(manifest, imported, files)
}

if (process.argv[1] === import.meta.filename) {
  const weights = weighFirstScreens()
  for (const [screen, kilobytes] of Object.entries(weights)) process.stdout.write(`${screen}: ${kilobytes} KB\n`)
  if (Object.values(weights).some((kilobytes) => kilobytes > BUDGET_KB)) {
    process.stdout.write(`The budget is ${BUDGET_KB} KB.\n`)
    process.exitCode = 1
  }
}
