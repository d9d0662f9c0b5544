import type { Command } from 'commander'

import type { CommandContext } from './command-context.ts'

export function addRunCommands(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('run everything in one process, with an embedded database unless DATABASE_URL is set')
    .action(async () => (await import('../serve/serve.ts')).serve(context.config, context.env))
  program
    .command('api')
    .description('run the API alone, against DATABASE_URL')
    .action(async () => (await import('../serve/roles.ts')).runApi(context.config, context.env))
  program
    .command('worker')
    .description('run the worker alone, against DATABASE_URL')
    .action(async () => (await import('../serve/roles.ts')).runWorker(context.config, context.env))
  program
    .command('bank')
    .description(
      'run the sandbox bank alone, against DATABASE_URL; its commands show what was read of the banks’ lists',
    )
    .action(async () => (await import('../serve/run-bank.ts')).runBank(context.config, context.env))
}
