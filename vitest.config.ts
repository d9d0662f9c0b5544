import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'suite',
          include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'packages/server/test/after/**'],
          globalSetup: ['packages/server/test/support/global-setup.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Looks at what all the others logged, so it runs when they are done.
        extends: true,
        test: {
          name: 'after',
          include: ['packages/server/test/after/**/*.test.ts'],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
