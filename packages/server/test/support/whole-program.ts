import type { Command } from 'commander'

import { commandContext } from '../../src/cli/command-context.ts'
import { createProgram, fillCommand } from '../../src/cli/command-line.ts'

/** The command line with every subcommand and option, which it otherwise has only of the command that is called. */
export async function createWholeProgram(): Promise<Command> {
  const program = createProgram({})
  for (const command of program.commands) await fillCommand(command, commandContext({}), [command.name(), '--help'])
  return program
}
