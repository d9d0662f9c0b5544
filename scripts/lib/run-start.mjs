import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { ensureDashboardBuilt } from './build-dashboard.mjs'
import { reportingFailures } from './expected-failure.mjs'
import { stopWhenNpmDoes } from './follow-npm.mjs'
import { ensureInstalled } from './install.mjs'
import { BUNDLE } from './paths.mjs'

/** Runs `kestrel serve` in this very process, so that signals reach it without a go-between. */
export async function runStart() {
  stopWhenNpmDoes()
  await reportingFailures(async () => {
    await ensureInstalled('runtime', process.stdout)
    await ensureBuilt(process.stdout)
    await ensureDashboardBuilt(process.stdout)
  })
  process.argv = [process.argv[0], BUNDLE, 'serve', ...process.argv.slice(2)]
  await import(pathToFileURL(BUNDLE).href)
}
