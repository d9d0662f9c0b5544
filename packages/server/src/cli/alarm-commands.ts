import type { Command } from 'commander'

import { AppError } from '../core/errors.ts'
import { isUuid } from '../core/ids.ts'
import { momentInWords } from '../core/words.ts'
import { type AlarmRow, closeAlarm, listAlarms } from '../storage/alarms.ts'
import type { CommandContext } from './command-context.ts'
import { withDeps } from './context.ts'
import { print } from './print.ts'

const MOST_SHOWN = 1_000

export function addAlarmCommands(alarms: Command, context: CommandContext): void {
  alarms
    .command('list')
    .description('list those that are open, the latest first')
    .option('--all', 'those that were closed in the last 90 days too')
    .option('--json', 'print JSON')
    .action(async (options: { all?: boolean; json?: boolean }) => {
      const wanted = { withClosed: options.all === true, most: MOST_SHOWN }
      const found = await withDeps(context, (deps) => listAlarms(deps.db, wanted))
      print({ alarms: found.map(present) }, options, () =>
        found.length === 0 ? ['There are no open alarms.'] : found.flatMap(inWords),
      )
    })
  alarms
    .command('close <id>')
    .description('say that one has been dealt with; if it rings again, it is a new one')
    .option('--json', 'print JSON')
    .action(async (id: string, options: { json?: boolean }) => {
      const wanted = id.toLowerCase()
      const closed = await withDeps(context, (deps) =>
        deps.db.inTransaction(async (tx) => (isUuid(wanted) ? closeAlarm(tx, wanted, deps.clock.now()) : null)),
      )
      if (closed === null) throw new AppError('invalid_request', `There is no open alarm ${JSON.stringify(id)}.`)
      print({ alarm: present(closed) }, options, () => [`Closed: ${closed.what}.`])
    })
}

function present(alarm: AlarmRow) {
  return {
    id: alarm.id,
    alarm: alarm.what,
    about: alarm.about,
    count: Number.parseInt(alarm.count.toString(), 10),
    first_seen_at: alarm.firstSeenAt.toISOString(),
    last_seen_at: alarm.lastSeenAt.toISOString(),
    closed_at: alarm.closedAt?.toISOString() ?? null,
  }
}

function inWords({ id, what, about, count, firstSeenAt, lastSeenAt, closedAt }: AlarmRow): string[] {
  const times = count === 1n ? 'once' : `${count} times`
  return [
    `${closedAt === null ? '' : '(closed) '}${what}: ${times}, first ${momentInWords(firstSeenAt)}, last ${momentInWords(lastSeenAt)}`,
    `  ${Object.entries(about)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(', ')}`,
    `  kestrel alarms close ${id}`,
  ]
}
