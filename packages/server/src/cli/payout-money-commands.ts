// What an operator does about the money of a single payout at the bank.
import type { Command } from 'commander'

import { makeRefundGood, refundByHand } from '../domain/banking/operator/refund-by-hand.ts'
import { topUpPayout } from '../domain/banking/operator/top-up-payout.ts'
import type { CommandContext } from './command-context.ts'
import { requireNoLessUsdc, requireReason } from './options.ts'
import { YES, changeAndShow, confirmAndShow } from './show-payout.ts'

interface WordOptions {
  readonly reason: string
  readonly json?: boolean
}

export function addPayoutMoneyCommands(payout: Command, context: CommandContext): void {
  payout
    .command('top-up <payout>')
    .description('add what a payout lacks at the bank from your own wallet there, once')
    .option(...YES)
    .option('--json', 'print JSON')
    .action((id: string, options: { yes?: boolean; json?: boolean }) =>
      confirmAndShow(context, id, options, { what: 'a top-up of', change: (deps) => topUpPayout(deps, id) }),
    )
  payout
    .command('came-back <payout>')
    .description('say what came into the bank’s wallet when a payout was refunded, where its history does not tell')
    .requiredOption('--usdc <amount>', 'how much, such as 31.50; 0.00 if nothing')
    .requiredOption('--reason <text>', 'how you know')
    .option('--json', 'print JSON')
    .action((id: string, options: WordOptions & { usdc: string }) => {
      const [cameBack, reason] = [requireNoLessUsdc(options.usdc), requireReason(options.reason)]
      return changeAndShow(context, id, options, (deps) => refundByHand(deps, id, { cameBack, reason }))
    })
  payout
    .command('made-good <payout>')
    .description('note that you have moved what a refund brought otherwise between your own wallet and the partner’s')
    .requiredOption('--reason <text>', 'how you moved it')
    .option('--json', 'print JSON')
    .action((id: string, options: WordOptions) => {
      const reason = requireReason(options.reason)
      return changeAndShow(context, id, options, (deps) => makeRefundGood(deps, id, reason))
    })
}
