import { pathToFileURL } from 'node:url'
import { reportingFailures } from './expected-failure.mjs'
import { stopWhenNpmDoes } from './follow-npm.mjs'
import { stampSays } from './install-stamp.mjs'
import { isBuilt } from './is-built.mjs'
import { isDashboardBuilt } from './is-dashboard-built.mjs'
import { BUNDLE } from './paths.mjs'

/** Runs `kestrel serve` in this very process, so that signals reach it without a go-between. */
export async function runStart() {
  stopWhenNpmDoes()
  const isReady = await reportingFailures(async () => stampSays('runtime') && isBuilt() && isDashboardBuilt())
  // Loaded only when there is something to do.
  if (!isReady) await (await import('./make-ready.mjs')).makeServiceReady(process.stdout)
  process.argv = [process.argv[0], BUNDLE, 'serve', ...process.argv.slice(2)]
  await import(pathToFileURL(BUNDLE).href)
}
