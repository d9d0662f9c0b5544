// One run for all mutants, which share one PostgreSQL: each is a test file with the whole program in it, and one mistake.
// `npm run prove` and the whole `npm test` run it.
import { join } from 'node:path'

import { defineConfig } from 'vitest/config'

import { BUNDLE, FOLDER, buildMutants } from './build-mutants.ts'
import { MutantReporter } from './mutant-reporter.ts'
import { MUTANTS } from './mutants/all-mutants.ts'
import { BY_SIMULATION } from './mutants/by-simulation.ts'

/** Names of promises or mutants, or parts of them. */
const only = (process.env['ONLY_MUTANT'] ?? '').split(',')
/** Another test than the one that each is caught by: how many of them would it catch? */
const against = process.env['AGAINST'] === 'simulation' ? BY_SIMULATION : null
const mutants = MUTANTS.filter(({ name, promise }) => only.some((each) => `${promise}/${name}`.includes(each))).map(
  (mutant) => (against === null ? mutant : { ...mutant, caughtBy: against }),
)

export default defineConfig(async () => ({
  root: join(import.meta.dirname, '../../../..'),
  test: {
    pool: 'forks',
    maxWorkers: 3,
    // No two mutants share a process.
    isolate: true,
    testTimeout: against === null ? 60_000 : 600_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    globalSetup: ['packages/server/test/support/global-setup.ts'],
    reporters: [new MutantReporter(mutants, await buildMutants(mutants))],
    include: [join(FOLDER, '*.test.mjs')],
    exclude: [],
    server: { deps: { external: [BUNDLE] } },
  },
}))
