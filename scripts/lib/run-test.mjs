import { ensureBuilt } from './build.mjs'
import { withChangedTests } from './changed-tests.mjs'
import { reportingFailures } from './expected-failure.mjs'
import { ensureInstalled } from './install.mjs'
import { runMutants, tellOfMutants } from './run-mutants.mjs'
import { runVitest } from './tools.mjs'

export async function runTest() {
  await reportingFailures(async () => {
    await ensureInstalled('full', process.stdout)
    // Some tests start the real program.
    await ensureBuilt(process.stdout)
  })
  const wanted = process.argv.slice(2)
  const { code } = await runVitest(withChangedTests(wanted, process.stdout))
  process.exitCode = code
  // The whole run also proves that its tests would notice.
  if (code === 0 && wanted.length === 0 && !tellOfMutants(await runMutants(), process.stdout)) process.exitCode = 1
}
