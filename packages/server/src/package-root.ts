import { join } from 'node:path'

/** packages/server, as seen from the sources and from the bundle: both are one folder below it. */
const PACKAGE_ROOT = join(import.meta.dirname, '..')

/** The build of packages/dashboard. */
export const DASHBOARD_FOLDER = join(PACKAGE_ROOT, '..', 'dashboard', 'dist')

export const GUIDES_FOLDER = join(PACKAGE_ROOT, 'guides')

export const MIGRATIONS_FOLDER = join(PACKAGE_ROOT, 'migrations')

/** The code of a drawing thread. Always the built one: Node cannot run the sources as they are. */
export const STUDIO_THREAD = join(PACKAGE_ROOT, 'dist', 'studio-thread.mjs')
