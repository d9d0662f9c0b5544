import type { Command } from 'commander'

import { AppError } from '../core/errors.ts'
import { listFeeds, rewindFeed } from '../domain/banking/feeds/rewind-feed.ts'
import type { CommandContext } from './command-context.ts'
import { withDeps } from './context.ts'
import { addExcessCommands } from './excess-commands.ts'
import { requireEnvironment, requireMoment } from './options.ts'
import { print } from './print.ts'

const FEEDS = ['transfers', 'bank_deposits', 'chain_deposits'] as const

interface RewindOptions {
  readonly environment: string
  readonly feed: string
  readonly to: string
  readonly json?: boolean
}

/** Subcommands of `kestrel bank`, which by itself runs the sandbox bank. */
export function addBankCommands(bank: Command, context: CommandContext): void {
  addExcessCommands(bank, context)
  bank
    .command('feeds')
    .description('show how far each of the bank’s lists has been read')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const feeds = await withDeps(context, listFeeds)
      const rows = feeds.map((feed) => ({
        environment: feed.environment,
        feed: feed.feed,
        read_up_to: feed.readUpTo.toISOString(),
        reading_since: feed.readingSince?.toISOString() ?? null,
        rows_waiting: feed.waiting,
        rewound_at: feed.rewoundAt?.toISOString() ?? null,
      }))
      print({ feeds: rows }, options, () =>
        rows.length === 0
          ? ['No list of a bank has been read yet.']
          : rows.map(
              (row) =>
                `${row.environment.padEnd(8)} ${row.feed.padEnd(19)} read up to ${row.read_up_to}, ${row.rows_waiting} waiting`,
            ),
      )
    })
  bank
    .command('rewind')
    .description('read one of the bank’s lists again from a moment on; never moves forward')
    .requiredOption('--environment <environment>', 'sandbox or live')
    .requiredOption('--feed <feed>', FEEDS.join(', '))
    .requiredOption('--to <moment>', 'such as 2026-11-01T09:30:00Z')
    .option('--json', 'print JSON')
    .action(async (options: RewindOptions) => {
      const environment = requireEnvironment(options.environment)
      const feed = FEEDS.find((name) => name === options.feed)
      if (feed === undefined) {
        const given = JSON.stringify(options.feed)
        throw new AppError('invalid_request', `--feed must be ${FEEDS.join(', ')}; it is ${given}.`)
      }
      const to = requireMoment('--to', options.to)
      await withDeps(context, (deps) => rewindFeed(deps, { environment, feed, to }))
      print({ environment, feed, read_up_to: to.toISOString() }, options, () => [
        `The worker reads ${environment} ${feed} again from ${to.toISOString()} on. What is known already stays as it is.`,
      ])
    })
}
