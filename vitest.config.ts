import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Against somebody's real account: only `npm run bank:contract` runs it, by a configuration of its own. */
const REAL_ACCOUNT = 'packages/server/test/contract/real-account.test.ts'

const BROWSER_TESTS = 'packages/dashboard/test/browser/**/*.test.ts'

/** They replace a module, so each needs a process that has loaded none yet. */
const ALONE = [
  'packages/server/test/bank/reconciliation.test.ts',
  'packages/server/test/storage/partner-filter.test.ts',
  'packages/server/test/storage/plans.test.ts',
]

/** About who may ask, how often and in what shape, or what our own tables say: another rail would prove nothing more. */
const WITHOUT_A_RAIL = [
  'activity',
  'authentication',
  'dashboard-pages',
  'discovery',
  'doors',
  'errors*',
  'headers',
  'hung-up',
  'invitations',
  'invoices*',
  'keys*',
  'members',
  'metrics',
  'network-limit',
  'payouts.create.validation',
  'payouts.export',
  'payouts.list',
  'pipelined-requests',
  'public-partners',
  'rate-limit',
  'recipients',
  'refused-methods',
  'session*',
  'settings*',
  'sign-*',
  'statement',
  'stream',
  'strict-json',
  'unnamed-proxy',
  'usage',
  'visible-text',
].map((name) => `packages/server/test/http/${name}.test.ts`)

/**
 * Begun first, or one worker is still at them when the others have nothing left to do. Vitest goes by the size of a file
 * where it does not remember how long it took, and the longest of these has four lines.
 */
const LONGEST = [
  'browser/pages-of-money',
  'browser/pages-of-the-account',
  'edge/any-input',
  'process/command-line',
  'bank/runbook',
  'bank/any-sequence',
  'races/crash-matrix',
  'bank/paid-after-all',
  'bank/reconciliation',
  'process/kill',
  'process/shutdown',
  'process/close-kill',
  'process/webhook-storm',
  'process/stream-kill',
  'process/month-end',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return found === -1 ? LONGEST.length : found
    }
    // The sequencer's own method, which changes nothing in place.
    // oxlint-disable-next-line unicorn/no-array-sort
    const usual = await super.sort(files)
    return usual.toSorted((one, other) => place(one) - place(other))
  }
}

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than the cores of a small machine: a fifth of its time, a worker waits for a timer or another process.
    maxWorkers: 3,
    // Only a test that hangs takes this long; a loop over hundreds of seeds may need a minute on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A second, which is what it would be, is not long on a machine that does other things too.
    expect: { poll: { timeout: 20_000 } },
    // Loading the program anew for each of 270 files took as long as a quarter of all tests.
    isolate: false,
    // What one project has transformed, the others read: each did it anew, and so did every run of a single file.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    globalSetup: ['packages/server/test/support/global-setup.ts'],
    reporters: ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'suite',
          include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'examples/*/test/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'packages/server/test/after/**', BROWSER_TESTS, REAL_ACCOUNT, ...ALONE],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE,
          isolate: true,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // The API's own tests once more, with adapter, HTTP and the sandbox bank as the rail.
        extends: true,
        test: {
          name: 'through-bank',
          env: { TEST_RAIL: 'bank' },
          include: ['packages/server/test/http/**/*.test.ts'],
          exclude: WITHOUT_A_RAIL,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // A real browser against the whole service. It needs the machine for itself, or pages take their time.
        extends: true,
        test: {
          name: 'browser',
          include: [BROWSER_TESTS],
          // A browser is several processes, of which two keep two cores busy.
          maxWorkers: 2,
          globalSetup: ['packages/dashboard/test/browser/support/global-setup.ts'],
          sequence: { groupOrder: 2 },
        },
      },
      {
        // Looks at what all the others logged, so it runs when they are done.
        extends: true,
        test: {
          name: 'after',
          include: ['packages/server/test/after/**/*.test.ts'],
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
