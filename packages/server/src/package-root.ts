import { join } from 'node:path'

/** packages/server, seen from the sources and from the bundle alike: both lie one folder below it. */
const PACKAGE_ROOT = join(import.meta.dirname, '..')

/** What packages/dashboard is built into. */
export const DASHBOARD_FOLDER = join(PACKAGE_ROOT, '..', 'dashboard', 'dist')

export const MIGRATIONS_FOLDER = join(PACKAGE_ROOT, 'migrations')
