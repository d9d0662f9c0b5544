import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isBuilt } from './is-built.mjs'
import { BUNDLE, NODE_MODULES } from './paths.mjs'

/** Runs the command line. stdout belongs to the command (--json), so notices go to stderr. */
export async function runKestrel() {
  // npm writes this file last, so without it there is no complete install.
  const hasModules = existsSync(join(NODE_MODULES, '.package-lock.json'))
  if (!isBuilt() || !hasModules) await (await import('./make-ready.mjs')).makeReady(process.stderr)
  await import(pathToFileURL(BUNDLE).href)
}
