import type { Command } from 'commander'

import { counted } from '../core/words.ts'
import { auditRollups } from '../domain/rollups/audit-rollups.ts'
import type { CommandContext } from './command-context.ts'
import { withDeps } from './context.ts'
import { print } from './print.ts'

// Whoever has more differences than this has one cause for all of them; they are counted.
const MOST_SHOWN = 200

export function addAuditCommands(audit: Command, context: CommandContext): void {
  audit
    .command('rollups')
    .description('add up again every sum that is kept, and name what differs; exits 1 when something does')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const shown: { partner: string; environment: string; check: string; detail: string }[] = []
      const { wallets, breaks } = await withDeps(context, (deps) =>
        auditRollups(deps, ({ slug, environment }, { check, detail }) => {
          if (shown.length < MOST_SHOWN) shown.push({ partner: slug, environment, check, detail })
        }),
      )
      if (breaks > 0) process.exitCode = 1
      print({ wallets, differences: breaks, shown }, options, () =>
        breaks === 0
          ? [`Every sum of ${counted(wallets, 'wallet')} is what it counts.`]
          : [
              ...shown.map((each) => `${each.partner} (${each.environment}) ${each.check}: ${each.detail}`),
              ...(breaks > shown.length ? [`… and ${breaks - shown.length} more.`] : []),
            ],
      )
    })
}
