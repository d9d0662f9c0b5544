import type { Command } from 'commander'

import { isLocalDatabase } from '../config/config.ts'
import { readSecrets } from '../config/secrets.ts'
import { bindDatabase } from '../compose.ts'
import { systemClock } from '../core/clock.ts'
import { MIGRATIONS_FOLDER } from '../package-root.ts'
import { migrate } from '../storage/migrate.ts'
import type { CommandContext } from './command-context.ts'
import { withDatabase } from './context.ts'
import { print } from './print.ts'

/** The one command that creates what is missing, as a start does, so that an upgrade can be a step of its own. */
export function doMigrate(command: Command, context: CommandContext): void {
  command.action(async (options: { json?: boolean }) => {
    const { config, env } = context
    const mayMake = config.databaseUrl === null || isLocalDatabase(config.databaseUrl)
    const secrets = await readSecrets(env, { dataDir: config.dataDir, mayMake })
    const report = await withDatabase(config, secrets, async ({ url, ownerUrl }) => {
      const done = await migrate({ url: ownerUrl, serviceUrl: url, folder: MIGRATIONS_FOLDER })
      await bindDatabase({ databaseUrl: url, secrets, clock: systemClock })
      return done
    })
    const { applied, total } = report
    print({ applied, total }, options, () => [
      applied === 0 ? `The database is up to date: ${total} migrations.` : `${applied} of ${total} migrations applied.`,
    ])
  })
}
