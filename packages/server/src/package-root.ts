import { join } from 'node:path'

/** packages/server, seen from the sources and from the bundle alike: both lie one folder below it. */
const PACKAGE_ROOT = join(import.meta.dirname, '..')

export const MIGRATIONS_FOLDER = join(PACKAGE_ROOT, 'migrations')
