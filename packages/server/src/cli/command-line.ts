// The operator's command line. Every command takes --json; a refusal is one clear line and a non-zero exit.
import { Argument, Command } from 'commander'

import { type Env, readEnv } from '../config/env.ts'
import { SERVICE_VERSION } from '../core/service-version.ts'
import { type CommandContext, commandContext } from './command-context.ts'
import { COMMANDS } from './command-table.ts'
import { EXIT_CODES, failureAsJson, failureOf } from './exit-codes.ts'
import { addRunCommands } from './run-commands.ts'

export async function runCommandLine(argv: readonly string[]): Promise<void> {
  const isJson = argv.includes('--json')
  try {
    await createProgram(readEnv(), { isJson }).parseAsync(helpAsOption(argv))
  } catch (error) {
    const failure = failureOf(error, argv.slice(2))
    const said = isJson ? [failureAsJson(failure)] : failure.lines.map((line) => `kestrel: ${line}`)
    // Of its own troubles the command line has told people already.
    const isSaid = failure.ending === 'done' || (failure.ending === 'usage' && !isJson)
    // What a failed start has left open must not keep the process alive.
    process.stderr.write(isSaid ? '' : `${said.join('\n')}\n`, () => process.exit(EXIT_CODES[failure.ending]))
  }
}

export function createProgram(env: Env, { isJson = false } = {}): Command {
  const program = new Command('kestrel')
    .exitOverride()
    .configureOutput(isJson ? { writeErr: () => undefined } : {})
    .description('Kestrel Payouts: pounds to UK bank accounts from your own USDC wallet.')
    .version(SERVICE_VERSION)
    .showHelpAfterError('(--help shows what there is)')
  const context = commandContext(env)
  addRunCommands(program, context)
  for (const { name, description, isSingle } of COMMANDS) {
    const command = program.command(name).description(description)
    if (isSingle) command.option('--json', 'print JSON')
  }
  addCompletion(program, context)
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
  refuseTwoValues(command)
}

/** Of `--usdc 10 --usdc 100` the last would count, and nobody can tell which was meant. */
function refuseTwoValues(command: Command): void {
  for (const option of command.options.filter(({ required, optional }) => required || optional)) {
    let isGiven = false
    command.on(`option:${option.name()}`, () => {
      if (isGiven) command.error(`error: ${option.long ?? option.flags} is given twice. Give it once.`)
      isGiven = true
    })
  }
  for (const each of command.commands) refuseTwoValues(each)
}

/** `kestrel help key` as `kestrel key --help`: a command's own help needs what is loaded for the command. */
function helpAsOption(argv: readonly string[]): string[] {
  const [node = '', program = '', first, ...rest] = argv
  return first === 'help' && rest.length > 0 ? [node, program, ...rest, '--help'] : [...argv]
}

function addCompletion(program: Command, context: CommandContext): void {
  program
    .command('completion')
    .description('print a script with which your shell completes commands: bash, zsh or fish')
    .addArgument(new Argument('<shell>', 'which shell').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      for (const each of program.commands) await fillCommand(each, context, ['', ''])
      const { completionScript } = await import('./completion.ts')
      process.stdout.write(completionScript(program, shell))
    })
}
