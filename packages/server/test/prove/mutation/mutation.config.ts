// One run for all small mistakes: each is a test file with the pure tests of one source, and that mistake in it.
import { join } from 'node:path'

import { defineConfig } from 'vitest/config'

import { BUNDLE, FOLDER, buildMistakes } from './build-mistakes.ts'
import { MutationReporter } from './mutation-reporter.ts'

export default defineConfig(async () => ({
  root: join(import.meta.dirname, '../../../../..'),
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // Each file has the whole of what it needs in it.
    isolate: false,
    testTimeout: 20_000,
    reporters: [new MutationReporter(await buildMistakes(process.env['ONLY_SOURCE'] ?? ''))],
    include: [join(FOLDER, '*.test.mjs')],
    exclude: [],
    server: { deps: { external: [BUNDLE] } },
  },
}))
