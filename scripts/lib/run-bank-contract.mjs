import { ExpectedFailure, reportingFailures } from './expected-failure.mjs'
import { ensureInstalled } from './install.mjs'
import { runVitest } from './tools.mjs'

const CONFIGURATION = 'packages/server/test/contract/real-account.config.ts'

/** The contract of a rail, against the account that the environment names. It makes two payments of 5.00 GBP there. */
export async function runBankContract() {
  await reportingFailures(async () => {
    const missing = ['BANK_CONTRACT_URL', 'BANK_CONTRACT_KEY'].filter((name) => !process.env[name])
    if (missing.length > 0) {
      throw new ExpectedFailure(
        `Set ${missing.join(' and ')} to a sandbox account at the banking partner (docs/operations.md). It makes two payments of 5.00 GBP.`,
      )
    }
    refuseLive(process.env.BANK_CONTRACT_URL, process.env.BANK_CONTRACT_KEY)
    await ensureInstalled('full', process.stdout)
  })
  const { code } = await runVitest(['--config', CONFIGURATION, ...process.argv.slice(2)])
  process.exitCode = code
}

/** The recipient is made up: in live the money would go to whoever has that account. */
function refuseLive(url, key) {
  const { hostname, protocol } = URL.canParse(url) ? new URL(url) : { hostname: '', protocol: '' }
  if (!/^https?:$/.test(protocol)) {
    throw new ExpectedFailure(
      `BANK_CONTRACT_URL must be an address such as https://api.sandbox.bridge.xyz/v0; it is "${url}".`,
    )
  }
  if (hostname === 'api.bridge.xyz' || key.startsWith('sk-live')) {
    throw new ExpectedFailure(
      'This is a live account: it would pay two times 5.00 GBP to a made-up recipient. Use the address and a key of the sandbox. Nothing was asked.',
    )
  }
}
