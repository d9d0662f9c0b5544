import type { Command } from 'commander'

import { AppError } from '../core/errors.ts'
import { formatUsdcHeld } from '../core/money.ts'
import { recordOperatorAction } from '../domain/activity/record-operator-action.ts'
import { creditByOperator } from '../domain/banking/credit-by-operator.ts'
import { findPartner } from '../domain/partners/find-partner.ts'
import { type CommandContext, withDeps } from './context.ts'
import { requireEnvironment, requireUsdc } from './options.ts'
import { print } from './print.ts'

interface CreditOptions {
  readonly partner: string
  readonly environment: string
  readonly usdc: string
  readonly reason: string
  readonly json?: boolean
}

export function addWalletCommands(program: Command, context: CommandContext): void {
  program
    .command('wallet')
    .description('partners’ wallets')
    .command('credit')
    .description('put USDC into a wallet, with the reason kept in the ledger')
    .requiredOption('--partner <slug>', 'whose wallet')
    .requiredOption('--environment <environment>', 'sandbox or live')
    .requiredOption('--usdc <amount>', 'how much, such as 100.00')
    .requiredOption('--reason <text>', 'why')
    .option('--json', 'print JSON')
    .action(async (options: CreditOptions) => {
      const environment = requireEnvironment(options.environment)
      const amount = requireUsdc(options.usdc)
      const reason = options.reason.trim()
      if (reason === '') throw new AppError('invalid_request', '--reason must say why the wallet is credited.')
      const balance = await withDeps(context, async (deps) => {
        const partner = await findPartner(deps, options.partner)
        const after = await creditByOperator(deps, { partnerId: partner.id, environment }, { amount, reason })
        const detail = `${formatUsdcHeld(amount)} USDC`
        await recordOperatorAction(deps, { partnerId: partner.id, environment, action: 'wallet.credit', detail })
        return after
      })
      const result = {
        partner: options.partner,
        environment,
        credited_usdc: formatUsdcHeld(amount),
        balance_usdc: formatUsdcHeld(balance),
      }
      print(result, options, () => [
        `Credited ${result.credited_usdc} USDC to ${options.partner} in ${environment}. It holds ${result.balance_usdc} now.`,
      ])
    })
}
