// The documents under docs/ that are made from the program, and the error pages of the command line for integrators.
// `node scripts/write-docs.mjs` writes them, and a test fails when they are out of date.
import { pino } from 'pino'

import { systemClock } from '../core/clock.ts'
import { type ServerOptions, buildServer } from './server.ts'
import { withAlarms } from './docs/alarms-markdown.ts'
import { errorPagesSource } from './docs/error-pages-source.ts'
import { errorsMarkdown } from './docs/errors-markdown.ts'
import { payoutStatesMarkdown } from './docs/payout-states-markdown.ts'

const PUBLIC_URL = 'http://localhost:3000'

/**
 * The text of each document by its path from the root of the repository. One of them is written in part only, so what is
 * there has to be read.
 */
export async function writtenDocs(read: (path: string) => string): Promise<Readonly<Record<string, string>>> {
  return {
    'docs/errors.md': errorsMarkdown(PUBLIC_URL),
    'docs/openapi.json': `${JSON.stringify(await openApiDocument(), null, 2)}\n`,
    'docs/operations.md': withAlarms(read('docs/operations.md')),
    'docs/payout-states.md': payoutStatesMarkdown(),
    'packages/cli/src/generated/error-pages.ts': errorPagesSource(),
  }
}

async function openApiDocument(): Promise<object> {
  const app = await buildServer({
    // Routes are described without being called, so they need nothing behind them.
    deps: { clock: systemClock } as ServerOptions['deps'],
    log: pino({ level: 'silent' }),
    publicUrl: PUBLIC_URL,
    rateLimitPerSecond: 0,
    dashboard: { isSignUpOpen: true, mailboxToken: null, contactEmail: null, folder: '/nowhere' },
    guidesFolder: '/nowhere',
    checks: { problems: async () => ({}), metrics: async () => ({ contentType: '', text: '' }), metricsToken: null },
  })
  await app.ready()
  const document = app.swagger()
  await app.close()
  return document
}
