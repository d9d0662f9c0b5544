import type { Command } from 'commander'

import { systemClock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { formatUsdcExact, formatUsdcHeld } from '../core/money.ts'
import { moveByOperator } from '../domain/banking/operator/move-by-operator.ts'
import { findPartner } from '../domain/partners/find-partner.ts'
import type { CommandContext } from './command-context.ts'
import { confirmLive } from './confirm-live.ts'
import { withDeps } from './context.ts'
import { addWalletShow } from './list-commands.ts'
import { requireEnvironment, requireExactUsdc, requireReason, requireUsdc } from './options.ts'
import { print } from './print.ts'

interface MovementOptions {
  readonly partner: string
  readonly environment: string
  readonly usdc: string
  readonly reason: string
  readonly reference?: string
  readonly yes?: boolean
  readonly json?: boolean
}

const REFERENCE = /^[A-Za-z0-9_:.-]{1,100}$/

export function addWalletCommands(wallet: Command, context: CommandContext): void {
  addWalletShow(wallet, context)
  addMovement(wallet, context, {
    kind: 'credit',
    description: 'put USDC into a wallet, with the reason kept in the ledger',
    spoken: { done: 'Credited', way: 'to' },
  })
  addMovement(wallet, context, {
    kind: 'debit',
    description: 'take USDC out of a wallet’s books that no bank holds, never more than it can spend',
    spoken: { done: 'Debited', way: 'from' },
  })
}

function addMovement(
  wallet: Command,
  context: CommandContext,
  of: {
    kind: 'credit' | 'debit'
    description: string
    spoken: { done: string; way: string }
  },
): void {
  const { kind, spoken } = of
  wallet
    .command(kind)
    .description(of.description)
    .requiredOption('--partner <slug>', 'whose wallet')
    .requiredOption('--environment <environment>', 'sandbox or live')
    .requiredOption('--usdc <amount>', 'how much, such as 100.00')
    .requiredOption('--reason <text>', 'why')
    .option('--reference <text>', 'names this movement: the same again moves nothing; one is made unless given')
    .option('--yes', 'do not ask for the amount again before live money moves')
    .option('--json', 'print JSON')
    .action(async (options: MovementOptions) => {
      const environment = requireEnvironment(options.environment)
      // A sandbox bank gives whole cents.
      const isTestMoney = kind === 'credit' && environment === 'sandbox'
      const amount = isTestMoney ? requireUsdc(options.usdc) : requireExactUsdc(options.usdc)
      const reason = requireReason(options.reason)
      const reference = requireReference(options.reference)
      const spokenAmount = formatUsdcExact(amount)
      const asked = `a ${kind} of ${spokenAmount} USDC ${spoken.way} ${options.partner}`
      await confirmLive({ environment, amount: spokenAmount, what: asked, yes: options.yes === true })
      const moved = await withDeps(context, async (deps) => {
        const partner = await findPartner(deps, options.partner)
        return moveByOperator(deps, { partnerId: partner.id, environment }, { kind, reference, amount, reason })
      })
      const result = {
        partner: options.partner,
        environment,
        [`${kind}ed_usdc`]: formatUsdcExact(amount),
        balance_usdc: formatUsdcHeld(moved.balance),
        reference,
        repeated: moved.isRepeated,
      }
      const what = `${formatUsdcExact(amount)} USDC ${spoken.way} ${options.partner} in ${environment}`
      print(result, options, () =>
        moved.isRepeated
          ? [
              `${reference} was made before: ${kind} of ${what}. It held ${result.balance_usdc} then; nothing moved now.`,
            ]
          : [`${spoken.done} ${what}. It holds ${result.balance_usdc} now.`, `Reference: ${reference}`],
      )
    })
}

function requireReference(text: string | undefined): string {
  if (text === undefined) return newId(systemClock.now())
  if (REFERENCE.test(text)) return text
  throw new AppError(
    'invalid_request',
    `--reference must be 1 to 100 letters, digits or _ : . -; it is ${JSON.stringify(text)}.`,
  )
}
