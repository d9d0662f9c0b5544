import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { LOCKFILE, PACKAGES, ROOT, workspaceNames } from './paths.mjs'

/** Everything the bundle is made from, as absolute paths in a stable order. */
export function buildInputs() {
  // The dashboard is no part of the server: it has a build of its own.
  const packages = workspaceNames().filter((name) => name !== 'dashboard')
  const sources = packages.flatMap((name) => [
    join(PACKAGES, name, 'package.json'),
    ...filesBelow(join(PACKAGES, name, 'src')),
  ])
  const parts = ['bundle.mjs', 'late-packages.mjs', 'paths.mjs', 'shared-shapes.mjs', 'undici-part.mjs']
  const recipe = parts.map((name) => join(ROOT, 'scripts', 'lib', name))
  return [...sources, ...recipe, LOCKFILE, join(ROOT, 'tsconfig.json')].toSorted((a, b) => (a < b ? -1 : 1))
}

/** Cheap: changes whenever a file was added, removed or written. Text, since a hash would load what computes it. */
export function fingerprintOfTimes(paths) {
  return paths.map((path) => `${path.slice(ROOT.length)} ${sizeAndTime(path)}`).join('\n')
}

function sizeAndTime(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? 'absent' : `${stat.size} ${stat.mtimeMs}`
}

/** Dearer: changes only when the text did, so a fresh clone or a copied image stays built. */
export function fingerprintOfContents(paths) {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256')
  for (const path of paths) {
    hash
      .update(`${relative(ROOT, path)}\n`)
      .update(contentsOf(path))
      .update('\n')
  }
  return hash.digest('hex')
}

function contentsOf(path) {
  try {
    return readFileSync(path)
  } catch {
    return 'absent'
  }
}

export function filesBelow(folder) {
  let entries
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesBelow(path)
    // Unit tests live beside the code and are no part of the program.
    return entry.name.endsWith('.test.ts') ? [] : [path]
  })
}
