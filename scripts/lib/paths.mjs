import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const NODE_MODULES = join(ROOT, 'node_modules')
export const LOCKFILE = join(ROOT, 'package-lock.json')
export const PACKAGES = join(ROOT, 'packages')
export const ENTRY = join(PACKAGES, 'server', 'src', 'kestrel.ts')
/** What the program's threads run. */
export const STUDIO_THREAD_ENTRY = join(PACKAGES, 'server', 'src', 'documents', 'studio-thread.ts')
export const DIST = join(PACKAGES, 'server', 'dist')
export const BUNDLE = join(DIST, 'kestrel.mjs')

/** Folder names under packages/, in a stable order. */
export function workspaceNames() {
  return readdirSync(PACKAGES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted()
}
