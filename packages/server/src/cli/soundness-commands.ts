import type { Command } from 'commander'

import { systemClock } from '../core/clock.ts'
import { reconcile } from '../domain/banking/reconcile/reconcile.ts'
import type { CommandContext } from './command-context.ts'
import { withDeps } from './context.ts'
import { examine } from './doctor.ts'
import { inOneLine } from './finding.ts'
import { print } from './print.ts'

export function doReconcile(command: Command, context: CommandContext): void {
  command.action(async (options: { json?: boolean }) => {
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
        : breaks.map((each) => `${each.check} (${each.environment}, ${whichOf(each)}): ${each.detail}`),
    )
  })
}

/** Whose it is, and what of it: who has many breaks gives each business its own. */
function whichOf({ partnerId, about }: { readonly partnerId: string | null; readonly about: string | null }): string {
  if (partnerId !== null && about !== null) return `${about} of ${partnerId}`
  return about ?? partnerId ?? 'all'
}

export function doExamine(doctor: Command, context: CommandContext): void {
  doctor.action(async (options: { json?: boolean }) => {
    const findings = await examine(context)
    if (findings.some(({ status }) => status === 'problem')) process.exitCode = 1
    // `ok` says what the exit code says: nothing here keeps the service from running.
    const checks = findings.map((finding) => ({ ...finding, ok: finding.status !== 'problem' }))
    print({ checks }, options, () => findings.map(inOneLine))
  })
}
