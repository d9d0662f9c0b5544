import { join } from 'node:path'

/** packages/server, seen from the sources and from the bundle alike: both lie one folder below it. */
const PACKAGE_ROOT = join(import.meta.dirname, '..')

/** What packages/dashboard is built into. */
export const DASHBOARD_FOLDER = join(PACKAGE_ROOT, '..', 'dashboard', 'dist')

export const MIGRATIONS_FOLDER = join(PACKAGE_ROOT, 'migrations')

/** What a thread that draws runs. Always the built one: Node does not read the sources as they are. */
export const STUDIO_THREAD = join(PACKAGE_ROOT, 'dist', 'studio-thread.mjs')
