import type { Command } from 'commander'

import { pausePayouts, pausedByInWords, resumePayouts } from '../domain/partners/pause-payouts.ts'
import { findPartner } from '../domain/partners/find-partner.ts'
import type { CommandContext } from './command-context.ts'
import { withDeps } from './context.ts'
import { requireEnvironment } from './options.ts'
import { print } from './print.ts'

interface PauseOptions {
  readonly environment: string
  readonly json?: boolean
}

export function addPauseCommands(partner: Command, context: CommandContext): void {
  // Only when it is called for: help works with any settings.
  const dashboardUrl = () => (context.config.publicUrl === null ? '' : `${context.config.publicUrl}/dashboard/`)
  addSwitch(
    partner,
    'pause',
    'make no new payout of a business, in any process, until it is resumed',
    (slug, options) =>
      withDeps(context, async (deps) => {
        const environment = requireEnvironment(options.environment)
        const own = await findPartner(deps, slug)
        const pause = await pausePayouts(deps, { partner: own, environment, by: 'operator', url: dashboardUrl() })
        const [paused_at, paused_by] = [pause.pausedAt.toISOString(), pausedByInWords(pause, 'member')]
        print({ partner: own.slug, environment, paused: true, paused_at, paused_by }, options, () => [
          `All ${environment} payouts of ${own.slug} are paused since ${paused_at}, by ${paused_by}.`,
        ])
      }),
  )
  addSwitch(partner, 'resume', 'let the payouts of a business go out again', (slug, options) =>
    withDeps(context, async (deps) => {
      const environment = requireEnvironment(options.environment)
      const own = await findPartner(deps, slug)
      const by = 'operator'
      await resumePayouts(deps, { partner: own, environment, by, url: dashboardUrl() }, { only: 'whichever holds' })
      print({ partner: own.slug, environment, paused: false }, options, () => [
        `${environment === 'live' ? 'Live' : 'Sandbox'} payouts of ${own.slug} go out.`,
      ])
    }),
  )
}

function addSwitch(
  partner: Command,
  verb: 'pause' | 'resume',
  description: string,
  act: (slug: string, options: PauseOptions) => Promise<void>,
): void {
  partner
    .command(`${verb} <slug-or-id>`)
    .description(description)
    .option('--environment <environment>', 'sandbox or live', 'live')
    .option('--json', 'print JSON')
    .action(act)
}
