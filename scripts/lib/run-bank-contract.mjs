import { ExpectedFailure, reportingFailures } from './expected-failure.mjs'
import { ensureInstalled } from './install.mjs'
import { runVitest } from './tools.mjs'

/** The contract of a rail, against the account that the environment names. It makes two payments of 5.00 GBP there. */
export async function runBankContract() {
  await reportingFailures(async () => {
    const missing = ['BANK_CONTRACT_URL', 'BANK_CONTRACT_KEY'].filter((name) => !process.env[name])
    if (missing.length > 0) {
      throw new ExpectedFailure(
        `Set ${missing.join(' and ')} to a sandbox account at the banking partner (docs/operations.md). It makes two payments of 5.00 GBP.`,
      )
    }
    await ensureInstalled('full', process.stdout)
  })
  const args = ['--project', 'bank-contract', '--testTimeout', '900000', ...process.argv.slice(2)]
  const { code } = await runVitest(args)
  process.exitCode = code
}
