// The operator's command line. Every command takes --json; a refusal is one clear line and a non-zero exit.
import { Command } from 'commander'

import { ConfigError } from '../config/config.ts'
import { type Env, readEnv } from '../config/env.ts'
import { AppError } from '../core/errors.ts'
import { SERVICE_VERSION } from '../core/service-version.ts'
import { addAlarmCommands } from './alarm-commands.ts'
import { commandContext } from './context.ts'
import { addInvoiceCommands } from './invoice-commands.ts'
import { addKeyCommands } from './key-commands.ts'
import { addMailboxCommand } from './mailbox-command.ts'
import { addMigrateCommand } from './migrate-command.ts'
import { addPartnerCommands } from './partner-commands.ts'
import { addPayoutCommands } from './payout-commands.ts'
import { addPlanCommands } from './plan-commands.ts'
import { addRunCommands } from './run-commands.ts'
import { addSecretsCommands } from './secrets-commands.ts'
import { addSoundnessCommands } from './soundness-commands.ts'
import { addWalletCommands } from './wallet-commands.ts'

export async function runCommandLine(argv: readonly string[]): Promise<void> {
  try {
    await createProgram(readEnv()).parseAsync([...argv])
  } catch (error) {
    // What a failed start has left open must not keep the process alive.
    process.stderr.write(`${explain(error, argv.slice(2))}\n`, () => process.exit(1))
  }
}

export function createProgram(env: Env): Command {
  const program = new Command('kestrel')
    .description('Kestrel Payouts: pounds to UK bank accounts from your own USDC wallet.')
    .version(SERVICE_VERSION)
    .showHelpAfterError('(--help shows what there is)')
  const context = commandContext(env)
  addRunCommands(program, context)
  addPartnerCommands(program, context)
  addKeyCommands(program, context)
  addWalletCommands(program, context)
  addPayoutCommands(program, context)
  addInvoiceCommands(program, context)
  addPlanCommands(program, context)
  addSecretsCommands(program, context)
  addSoundnessCommands(program, context)
  addAlarmCommands(program, context)
  addMailboxCommand(program, context)
  addMigrateCommand(program, context)
  return program
}

function explain(error: unknown, words: readonly string[]): string {
  if (error instanceof ConfigError) return error.problems.map((problem) => `kestrel: ${problem}`).join('\n')
  if (error instanceof AppError && error.code === 'not_found')
    return `kestrel: There is no such partner, payout, key or invoice. You wrote: ${words.join(' ')}`
  const message = error instanceof Error && error.message !== '' ? error.message : String(error)
  return `kestrel: ${message}`
}
