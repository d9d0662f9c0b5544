import { ensureBuilt } from './build.mjs'
import { withChangedTests } from './changed-tests.mjs'
import { reportingFailures } from './expected-failure.mjs'
import { ensureInstalled } from './install.mjs'
import { runVitest } from './tools.mjs'

export async function runTest() {
  await reportingFailures(async () => {
    await ensureInstalled('full', process.stdout)
    // Some tests start the real program.
    await ensureBuilt(process.stdout)
  })
  const { code } = await runVitest(withChangedTests(process.argv.slice(2), process.stdout))
  process.exitCode = code
}
