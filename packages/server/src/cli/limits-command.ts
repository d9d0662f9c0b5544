import type { Command } from 'commander'

import { AppError } from '../core/errors.ts'
import { formatPence } from '../core/money.ts'
import {
  type LimitsOfPartner,
  changePayoutLimits,
  readPayoutLimits,
  resetPayoutLimits,
} from '../domain/partners/change-payout-limits.ts'
import type { Deps } from '../domain/deps.ts'
import type { CommandContext } from './command-context.ts'
import { withDeps } from './context.ts'
import { requireEnvironment, requirePounds } from './options.ts'
import { print } from './print.ts'

interface LimitsOptions {
  readonly environment?: string
  readonly min?: string
  readonly max?: string
  readonly reset?: boolean
  readonly json?: boolean
}

export function addLimitsCommand(partner: Command, context: CommandContext): void {
  partner
    .command('limits <slug-or-id>')
    .description('show or set what a business may pay at once, within the specification’s range')
    .option('--environment <environment>', 'sandbox or live; both unless given')
    .option('--min <GBP>', 'the smallest payout, such as 3.00')
    .option('--max <GBP>', 'the largest payout, such as 500.00')
    .option('--reset', 'back to the whole range of the specification')
    .option('--json', 'print JSON')
    .action(async (nameOrId: string, options: LimitsOptions) => {
      const act = wanted(nameOrId, options)
      printLimits(await withDeps(context, act), options)
    })
}

function wanted(nameOrId: string, options: LimitsOptions): (deps: Deps) => Promise<LimitsOfPartner> {
  const environment = options.environment === undefined ? null : requireEnvironment(options.environment)
  const smallestPayout = options.min === undefined ? null : requirePounds('--min', options.min)
  const largestPayout = options.max === undefined ? null : requirePounds('--max', options.max)
  const sets = smallestPayout !== null || largestPayout !== null
  if (options.reset === true && sets) {
    throw new AppError('invalid_request', 'Say either --reset or --min and --max. Nothing was changed.')
  }
  if (options.reset === true) return (deps) => resetPayoutLimits(deps, nameOrId, environment)
  if (sets) return (deps) => changePayoutLimits(deps, nameOrId, { environment, smallestPayout, largestPayout })
  return (deps) => readPayoutLimits(deps, nameOrId)
}

function printLimits({ partner, limits }: LimitsOfPartner, options: { json?: boolean }): void {
  const shown = presentLimits(limits)
  print({ partner: partner.slug, payout_limits_gbp: shown }, options, () => [
    partner.slug,
    ...Object.entries(shown).map(
      ([environment, { min, max_per_payout }]) =>
        `  ${environment.padEnd(8)} ${min} to ${max_per_payout} GBP per payout`,
    ),
  ])
}

/** The limits of each environment, as `GET /v1/compliance` shows them. */
export function presentLimits(
  limits: LimitsOfPartner['limits'],
): Readonly<Record<string, { min: string; max_per_payout: string }>> {
  return Object.fromEntries(
    limits.map(({ environment, smallestPayout, largestPayout }) => [
      environment,
      { min: formatPence(smallestPayout), max_per_payout: formatPence(largestPayout) },
    ]),
  )
}
