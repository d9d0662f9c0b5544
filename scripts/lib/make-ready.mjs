import { ensureBuilt } from './build.mjs'
import { ensureDashboardBuilt } from './build-dashboard.mjs'
import { reportingFailures } from './expected-failure.mjs'
import { ensureInstalled } from './install.mjs'

/** Installs and builds what is missing for the command line. */
export async function makeReady(stream) {
  await reportingFailures(async () => {
    await ensureInstalled('runtime', stream)
    await ensureBuilt(stream)
  })
}

/** The same for the service, which shows pages too. */
export async function makeServiceReady(stream) {
  await makeReady(stream)
  await reportingFailures(() => ensureDashboardBuilt(stream))
}
