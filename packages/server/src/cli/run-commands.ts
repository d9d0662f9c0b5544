import type { Command } from 'commander'

import { live } from '../serve/shutdown.ts'
import type { CommandContext } from './command-context.ts'

/** A signal is heard before the program is read: it may open something at any moment from then on. */
export function addRunCommands(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('run everything in one process, with an embedded database unless DATABASE_URL is set')
    .action(() => live(async (life) => (await import('../serve/serve.ts')).serve(context.config, context.env, life)))
  program
    .command('api')
    .description('run the API alone, against DATABASE_URL')
    .action(() => live(async (life) => (await import('../serve/roles.ts')).runApi(context.config, context.env, life)))
  program
    .command('worker')
    .description('run the worker alone, against DATABASE_URL')
    .action(() =>
      live(async (life) => (await import('../serve/roles.ts')).runWorker(context.config, context.env, life)),
    )
  program
    .command('bank')
    .description(
      'run the sandbox bank alone, against DATABASE_URL; its commands show what was read of the banks’ lists',
    )
    .action(() =>
      live(async (life) => (await import('../serve/run-bank.ts')).runBank(context.config, context.env, life)),
    )
}
