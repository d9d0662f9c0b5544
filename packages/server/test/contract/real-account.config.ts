// `npm run bank:contract`: one file, against somebody's real account. It needs no database, and nothing runs beside it.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/server/test/contract/real-account.test.ts'],
    // A payment may take ten minutes to settle.
    testTimeout: 900_000,
    // What the account can do is printed as it is.
    disableConsoleIntercept: true,
    reporters: ['verbose'],
  },
})
