import type { Command } from 'commander'

import { isLocalDatabase } from '../config/config.ts'
import { readSecrets } from '../config/secrets.ts'
import { bindDatabase } from '../bind-database.ts'
import { systemClock } from '../core/clock.ts'
import { MIGRATIONS_FOLDER } from '../package-root.ts'
import { migrate } from '../storage/migrate.ts'
import { planMigrations } from '../storage/plan-migrations.ts'
import { schemaProblem } from '../storage/schema-state.ts'
import type { CommandContext } from './command-context.ts'
import { existingSecrets, withDatabase } from './context.ts'
import { planInLines, presentPlan } from './present-plan.ts'
import { print } from './print.ts'

/** The one command that creates what is missing, as a start does, so that an upgrade can be a step of its own. */
export function doMigrate(command: Command, context: CommandContext): void {
  command.option('--dry-run', 'say what would be done, step by step, and what each locks; change nothing')
  command.action(async (options: { json?: boolean; dryRun?: boolean }) => {
    if (options.dryRun === true) return tryMigrate(context, options)
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

/** It only reads: no keys are made, and a database that is not there stays so. */
async function tryMigrate(context: CommandContext, options: { json?: boolean }): Promise<void> {
  const planFor = (url: string) => planMigrations({ url, folder: MIGRATIONS_FOLDER })
  const { config } = context
  const given = config.migrateDatabaseUrl ?? config.sessionDatabaseUrl ?? config.databaseUrl
  const plan =
    given === null
      ? await withDatabase(config, await existingSecrets(context), ({ ownerUrl }) => planFor(ownerUrl))
      : await planFor(given)
  // One of a newer version: there is nothing that could be done to it.
  if (plan.state.unknown.length > 0) throw new Error(schemaProblem(plan.state) ?? '')
  print(presentPlan(plan), options, () => planInLines(plan))
}
