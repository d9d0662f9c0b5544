// What `kestrel migrate --dry-run` says.
import { grouped } from '../core/words.ts'
import { LOCK_TIMEOUT_MS, LOCK_TRIES } from '../storage/migrate.ts'
import type { MigrationPlan, PlannedLock, PlannedStep } from '../storage/plan-migrations.ts'

const WHO_WAITS: Readonly<Record<PlannedLock['mode'], string>> = {
  'row exclusive': 'holds nobody up',
  'share update exclusive': 'holds nobody up',
  share: 'nobody writes to it',
  'share row exclusive': 'nobody writes to it',
  'access exclusive': 'nobody reads it or writes to it',
}

export function presentPlan({ total, migrations }: MigrationPlan): object {
  return {
    dry_run: true,
    total,
    migrations: migrations.map(({ name, steps }) => ({
      name,
      steps: steps.map(({ isInTransaction, locks }) => ({
        in_transaction: isInTransaction,
        locks: locks.map(({ table, mode, isLong, rows }) => ({ table, mode, reads_all: isLong, rows })),
      })),
    })),
  }
}

export function planInLines({ total, migrations }: MigrationPlan): string[] {
  if (migrations.length === 0) return [`The database is up to date: ${total} migrations. Nothing would be done.`]
  return [
    `${migrations.length} of ${total} migrations would be applied. Nothing was changed.`,
    `A step that waits ${LOCK_TIMEOUT_MS / 1_000} s for a table steps back and comes again, up to ${LOCK_TRIES} times.`,
    ...migrations.flatMap(({ name, steps }) => [
      '',
      name,
      ...steps.flatMap((step, nth) => stepInLines(step, `${nth + 1} of ${steps.length}`)),
    ]),
  ]
}

function stepInLines({ isInTransaction, locks }: PlannedStep, place: string): string[] {
  const how = isInTransaction ? 'in a transaction' : 'beside the work, statement by statement'
  const none = locks.length === 0 ? '; locks no table that is there' : ''
  return [`  step ${place}, ${how}${none}`, ...locks.map((each) => `    ${lockInWords(each)}`)]
}

function lockInWords({ table, mode, isLong, rows }: PlannedLock): string {
  const size = rows === null ? '' : ` (about ${grouped(String(rows))} rows)`
  return `${table}${size}: ${mode}, ${WHO_WAITS[mode]} ${isLong ? 'while all of it is read' : 'for a moment'}`
}
