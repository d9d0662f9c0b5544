import type { Command } from 'commander'

import { AppError } from '../core/errors.ts'
import { formatPenceExact } from '../core/money.ts'
import { chargeException } from '../domain/billing/charge-exception.ts'
import { type CommandContext, withDeps } from './context.ts'
import { requirePounds } from './options.ts'
import { print } from './print.ts'

interface ExceptionOptions {
  readonly partner: string
  readonly type: string
  readonly cost?: string
  readonly json?: boolean
}

export function addPayoutCommands(program: Command, context: CommandContext): void {
  program
    .command('payout')
    .description('partners’ payouts')
    .command('exception <payout>')
    .description('charge a live payout’s recall or trace, once, at the bank’s cost plus the plan’s share')
    .requiredOption('--partner <slug>', 'whose payout')
    .requiredOption('--type <type>', 'recall or trace')
    .option('--cost <GBP>', 'what the bank asks for it, such as 2.50; what the plan says unless given')
    .option('--json', 'print JSON')
    .action(async (payoutId: string, options: ExceptionOptions) => {
      const { partner, type } = options
      if (type !== 'recall' && type !== 'trace') {
        throw new AppError('invalid_request', `--type must be recall or trace; it is ${JSON.stringify(type)}.`)
      }
      const cost = options.cost === undefined ? null : requirePounds('--cost', options.cost)
      const charge = await withDeps(context, (deps) => chargeException(deps, { slug: partner, payoutId, type, cost }))
      const result = {
        partner,
        payout: payoutId,
        type,
        cost_gbp: charge.cost === null ? null : formatPenceExact(charge.cost),
        charged_gbp: formatPenceExact(charge.amount),
      }
      print(result, options, () => [`The ${type} of ${payoutId} is charged: ${result.charged_gbp} GBP.`])
    })
}
