import type { Command } from 'commander'

import { AppError } from '../core/errors.ts'
import { formatPenceExact } from '../core/money.ts'
import { chargeException } from '../domain/charges/charge-exception.ts'
import { refreshPayout } from '../domain/payouts/follow/refresh-payout.ts'
import { releasePayout } from '../domain/payouts/follow/release-payout.ts'
import { type Ending, resolvePayout } from '../domain/banking/operator/resolve-payout.ts'
import type { Deps } from '../domain/deps.ts'
import type { CommandContext } from './command-context.ts'
import { withDeps } from './context.ts'
import { addPayoutList } from './list-commands.ts'
import { addPayoutMoneyCommands as addMoneyCommands } from './payout-money-commands.ts'
import { requirePounds, requireReason } from './options.ts'
import { print } from './print.ts'
import { YES, changeAndShow, confirmAndShow } from './show-payout.ts'

interface ExceptionOptions {
  readonly partner: string
  readonly type: string
  readonly cost?: string
  readonly json?: boolean
}

interface ResolveOptions {
  readonly transfer?: string
  readonly completed?: boolean
  readonly failed?: boolean
  readonly returned?: boolean
  readonly cancelled?: boolean
  readonly reason: string
  readonly yes?: boolean
  readonly json?: boolean
}

const ENDINGS = ['completed', 'failed', 'returned', 'cancelled'] as const

export function addPayoutCommands(payout: Command, context: CommandContext): void {
  payout
    .command('show <payout>')
    .description('show how far a payout has come, where its money is and what the bank says')
    .option('--json', 'print JSON')
    .action((id: string, options: { json?: boolean }) => changeAndShow(context, id, options, () => Promise.resolve()))
  payout
    .command('refresh <payout>')
    .description('ask the bank about a payout now, and record what it says')
    .option('--json', 'print JSON')
    .action((id: string, options: { json?: boolean }) =>
      changeAndShow(context, id, options, (deps) => refreshPayout(deps, id)),
    )
  addPayoutList(payout, context)
  addResolve(payout, context)
  payout
    .command('release <payout>')
    .description('end a payout in doubt that the bank never had: it fails and its money is back in the wallet')
    .requiredOption('--reason <text>', 'how you know that the bank does not have it')
    .option(...YES)
    .option('--json', 'print JSON')
    .action((id: string, options: { reason: string; yes?: boolean; json?: boolean }) => {
      const reason = requireReason(options.reason)
      const change = (deps: Deps) => releasePayout(deps, id, reason)
      return confirmAndShow(context, id, options, { what: 'the release of', change })
    })
  addMoneyCommands(payout, context)
  addException(payout, context)
}

function addResolve(payout: Command, context: CommandContext): void {
  payout
    .command('resolve <payout>')
    .description('end a payout on your word, or by a transfer that you have found; what the bank shows comes first')
    .option('--transfer <id>', 'the bank’s id of its transfer')
    .option('--completed', 'the money is in the recipient’s account')
    .option('--failed', 'it never arrived, and the money is back in the wallet')
    .option('--returned', 'it arrived and came back, and the money is back in the wallet')
    .option('--cancelled', 'it was stopped, and the money is back in the wallet')
    .requiredOption('--reason <text>', 'how you know')
    .option(...YES)
    .option('--json', 'print JSON')
    .action((id: string, options: ResolveOptions) => {
      const reason = requireReason(options.reason)
      const endings = ENDINGS.filter((each) => options[each] === true)
      const ending: Ending | null = endings[0] ?? null
      const transferRef = options.transfer ?? null
      if (endings.length > 1 || (ending === null && transferRef === null)) {
        throw new AppError(
          'invalid_request',
          'Say --transfer, or one of --completed, --failed, --returned and --cancelled.',
        )
      }
      const change = (deps: Deps) => resolvePayout(deps, id, { ending, transferRef, reason })
      return confirmAndShow(context, id, options, { what: 'the ending of', change })
    })
}

function addException(payout: Command, context: CommandContext): void {
  payout
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
