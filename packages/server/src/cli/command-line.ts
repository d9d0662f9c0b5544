// The operator's command line. Every command takes --json; a refusal is one clear line and a non-zero exit.
import { Command } from 'commander'

import { ConfigError } from '../config/config.ts'
import { type Env, readEnv } from '../config/env.ts'
import { AppError } from '../core/errors.ts'
import { SERVICE_VERSION } from '../core/service-version.ts'
import { type CommandContext, commandContext } from './command-context.ts'
import { COMMANDS } from './command-table.ts'
import { addRunCommands } from './run-commands.ts'

export async function runCommandLine(argv: readonly string[]): Promise<void> {
  try {
    await createProgram(readEnv()).parseAsync(helpAsOption(argv))
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
  for (const { name, description, isSingle } of COMMANDS) {
    const command = program.command(name).description(description)
    if (isSingle) command.option('--json', 'print JSON')
  }
  program.hook('preSubcommand', ({ args }, command) => fillCommand(command, context, args))
  return program
}

/** Loads what a command does, or its subcommands. `args` are all words of the command line. */
export async function fillCommand(command: Command, context: CommandContext, args: readonly string[]): Promise<void> {
  const name = command.name()
  const load = COMMANDS.find((each) => each.name === name)?.load
  if (load !== undefined) (await load())(command, context)
  // `kestrel bank` by itself runs the bank, which has no use for its subcommands.
  if (name === 'bank' && args.length > 1) (await import('./bank-commands.ts')).addBankCommands(command, context)
}

/** `kestrel help key` as `kestrel key --help`: a command's own help needs what is loaded for the command. */
function helpAsOption(argv: readonly string[]): string[] {
  const [node = '', program = '', first, ...rest] = argv
  return first === 'help' && rest.length > 0 ? [node, program, ...rest, '--help'] : [...argv]
}

function explain(error: unknown, words: readonly string[]): string {
  if (error instanceof ConfigError) return error.problems.map((problem) => `kestrel: ${problem}`).join('\n')
  if (error instanceof AppError && error.code === 'not_found')
    return `kestrel: There is no such partner, payout, key or invoice. You wrote: ${words.join(' ')}`
  const message = error instanceof Error && error.message !== '' ? error.message : String(error)
  return `kestrel: ${message}`
}
