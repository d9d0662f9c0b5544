// The operator's commands as the program has them, on a test's own database and bank, without a process for each.
import { EXCESS_WALLET_ID } from '@kestrel/bank'
import { vi } from 'vitest'

import { createProgram } from '../../src/cli/command-line.ts'
import type { ProviderOptions } from '../../src/rail/provider/provider-client.ts'
import { TEST_SECRETS, type TestApp } from './app.ts'

export type Kestrel = (...args: readonly string[]) => Promise<unknown>

/** What a command prints with --json; a refusal throws. */
export function commandsOn(test: TestApp, sandbox: ProviderOptions): Kestrel {
  const env = {
    DATABASE_URL: test.database.url,
    BANK_SANDBOX_URL: sandbox.baseUrl,
    BANK_SANDBOX_API_KEY: sandbox.apiKey,
    BANK_SANDBOX_EXCESS_WALLET: `${EXCESS_WALLET_ID}/${EXCESS_WALLET_ID}`,
    KESTREL_SEAL_KEY: TEST_SECRETS.sealKey.toString('hex'),
    KESTREL_FINGERPRINT_KEY: TEST_SECRETS.fingerprintKey.toString('hex'),
  }
  return async (...args) => {
    let printed = ''
    const writing = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += String(text)
      return true
    })
    try {
      await createProgram(env)
        .exitOverride()
        .parseAsync(['node', 'kestrel', ...args, '--json'])
    } finally {
      writing.mockRestore()
      // A command that has found something wrong says so by it; the test's own process has not failed.
      process.exitCode = 0
    }
    return JSON.parse(printed)
  }
}
