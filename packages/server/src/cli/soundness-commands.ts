import type { Command } from 'commander'

import { systemClock } from '../core/clock.ts'
import { reconcile } from '../domain/banking/reconcile/reconcile.ts'
import { type CommandContext, withDeps } from './context.ts'
import { examine } from './doctor.ts'
import { inOneLine } from './finding.ts'
import { print } from './print.ts'

export function addSoundnessCommands(program: Command, context: CommandContext): void {
  program
    .command('reconcile')
    .description('prove the books: every balance, every payout, every month; exits 1 when something is off')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const breaks = await withDeps(context, reconcile)
      if (breaks.length > 0) process.exitCode = 1
      const result = {
        checked_at: systemClock.now().toISOString(),
        breaks: breaks.map((each) => ({
          check: each.check,
          partner_id: each.partnerId,
          environment: each.environment,
          about: each.about,
          detail: each.detail,
        })),
      }
      print(result, options, () =>
        breaks.length === 0
          ? ['The books are right.']
          : breaks.map(
              (each) => `${each.check} (${each.environment}, ${each.about ?? each.partnerId ?? 'all'}): ${each.detail}`,
            ),
      )
    })
  program
    .command('doctor')
    .description('look, without changing anything, for what could keep the service from running, with the cure')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const findings = await examine(context)
      if (findings.some(({ status }) => status === 'problem')) process.exitCode = 1
      // `ok` says what the exit code says: nothing here keeps the service from running.
      const checks = findings.map((finding) => ({ ...finding, ok: finding.status !== 'problem' }))
      print({ checks }, options, () => findings.map(inOneLine))
    })
}
