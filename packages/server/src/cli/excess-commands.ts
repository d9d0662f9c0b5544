// The operator's own wallet at a bank.
import type { Command } from 'commander'

import { systemClock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { formatUsdcExact, microUsdc } from '../core/money.ts'
import { noteExcessMovement, readExcessFunds } from '../domain/banking/operator/excess-funds.ts'
import type { CommandContext } from './command-context.ts'
import { withDeps } from './context.ts'
import { requireEnvironment, requireExactUsdc, requireReason } from './options.ts'
import { print } from './print.ts'

interface MovedOptions {
  readonly environment: string
  readonly in?: string
  readonly out?: string
  readonly reason: string
  readonly reference?: string
  readonly json?: boolean
}

const usdc = (amount: bigint) => formatUsdcExact(microUsdc(amount))

export function addExcessCommands(bank: Command, context: CommandContext): void {
  bank
    .command('excess')
    .description('show what your own wallet at the bank holds, and what of it payouts left over')
    .requiredOption('--environment <environment>', 'sandbox or live')
    .option('--json', 'print JSON')
    .action(async (options: { environment: string; json?: boolean }) => {
      const environment = requireEnvironment(options.environment)
      const funds = await withDeps(context, (deps) => readExcessFunds(deps, environment))
      const shown = {
        environment,
        left_over_usdc: usdc(funds.booked),
        moved_by_you_usdc: usdc(funds.moved),
        expected_usdc: usdc(funds.booked + funds.moved),
        at_bank_usdc: funds.atBank === null ? null : usdc(funds.atBank),
      }
      print(shown, options, () => [
        `${environment}: payouts left over ${shown.left_over_usdc} USDC, you moved ${shown.moved_by_you_usdc}.`,
        `The wallet should hold ${shown.expected_usdc}; the bank says ${shown.at_bank_usdc ?? 'nothing'}.`,
      ])
    })
  bank
    .command('excess-moved')
    .description('note what you have put into your own wallet at the bank, or taken out of it')
    .requiredOption('--environment <environment>', 'sandbox or live')
    .option('--in <USDC>', 'what you have put in, such as 50.00')
    .option('--out <USDC>', 'what you have taken out')
    .requiredOption('--reason <text>', 'why')
    .option('--reference <text>', 'names this movement: the same again notes nothing; one is made unless given')
    .option('--json', 'print JSON')
    .action((options: MovedOptions) => noteMoved(context, options))
}

async function noteMoved(context: CommandContext, options: MovedOptions): Promise<void> {
  const environment = requireEnvironment(options.environment)
  const reason = requireReason(options.reason)
  const reference = options.reference ?? newId(systemClock.now())
  const amount = amountOf(options)
  const { isRepeated } = await withDeps(context, (deps) =>
    noteExcessMovement(deps, environment, { amount, reference, reason }),
  )
  const shown = { environment, moved_usdc: usdc(amount), reference, repeated: isRepeated }
  print(shown, options, () => [
    isRepeated
      ? `${reference} was noted before; nothing is noted now.`
      : `Noted ${shown.moved_usdc} USDC: ${reference}`,
  ])
}

function amountOf(options: MovedOptions): bigint {
  if ((options.in === undefined) === (options.out === undefined)) {
    throw new AppError('invalid_request', 'Say one of --in and --out.')
  }
  return options.in === undefined ? 0n - requireExactUsdc(options.out ?? '') : requireExactUsdc(options.in)
}
