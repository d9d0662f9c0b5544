// Asked at every start, so it loads as little as it can.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow } from './build-inputs.mjs'
import { isOf, readStamp } from './build-stamp.mjs'
import { LOCKFILE, PACKAGES } from './paths.mjs'

export const DASHBOARD = join(PACKAGES, 'dashboard')
export const PAGES = join(DASHBOARD, 'dist')

/** Whether the pages are those of the source as it is now. Takes a few milliseconds. */
export function isDashboardBuilt() {
  // An image may ship the pages without what they were built from.
  if (!existsSync(join(DASHBOARD, 'index.html'))) return true
  const path = join(PAGES, '.built')
  const stamp = readStamp(path)
  return stamp !== null && isOf(path, stamp, dashboardInputs())
}

/** Everything that the pages are made from. */
export function dashboardInputs() {
  const own = readdirSync(DASHBOARD, { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'test'].includes(entry.name) || entry.name.startsWith('dist')) return []
    const path = join(DASHBOARD, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
  const recipe = join(import.meta.dirname, 'build-dashboard.mjs')
  const inputs = [...own, ...filesBelow(join(PACKAGES, 'contract', 'src')), LOCKFILE, recipe]
  return inputs.toSorted((a, b) => (a < b ? -1 : 1))
}
