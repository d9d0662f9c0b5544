// What a step of a migration locks, read from its text: for those who want to know before it runs. A test carries out every
// migration and compares this with the locks that PostgreSQL then holds.
import { withoutComments } from './migration-steps.ts'

/** From the weakest to the strongest, by PostgreSQL's names. */
export const LOCK_MODES = [
  'row exclusive',
  'share update exclusive',
  'share',
  'share row exclusive',
  'access exclusive',
] as const
export type LockMode = (typeof LOCK_MODES)[number]

export interface TableLock {
  readonly table: string
  readonly mode: LockMode
  /** Whether the lock is held while the whole table is read. */
  readonly isLong: boolean
}

/** What is known of the database by the names that statements use. */
export interface KnownNames {
  /** The table of each index. */
  readonly indexes: ReadonlyMap<string, string>
  /** The table that each foreign key refers to, by the table that has it and its name: `payouts.payouts_of_wallets`. */
  readonly keys: ReadonlyMap<string, string>
}

type Rule = readonly [RegExp, (match: RegExpExecArray, known: KnownNames) => (TableLock | null)[]]

const lock = (table: string, mode: LockMode, isLong = false): TableLock => ({ table, mode, isLong })

/** Tables that a key refers to: their keys must not change while the rule is made. */
function referenced(text: string): TableLock[] {
  return [...text.matchAll(/\breferences (\w+)/g)].map(([, table]) => lock(table!, 'share row exclusive'))
}

const RULES: readonly Rule[] = [
  [
    /^create (?:unlogged )?table (?:if not exists )?\w+ partition of (\w+)/,
    ([, of]) => [lock(of!, 'access exclusive')],
  ],
  [/^create table\b/, ({ input }) => referenced(input)],
  [
    /^create (?:unique )?index (concurrently )?.*?\bon (?:only )?(\w+)/,
    ([, beside, table]) => [lock(table!, beside === undefined ? 'share' : 'share update exclusive', true)],
  ],
  [
    /^drop index (concurrently )?(?:if exists )?(.+)$/,
    ([, beside, names], { indexes }) =>
      names!.split(',').map((name) => {
        const table = indexes.get(name.trim())
        return table === undefined
          ? null
          : lock(table, beside === undefined ? 'access exclusive' : 'share update exclusive')
      }),
  ],
  [
    /^create (?:or replace )?(?:constraint )?trigger \w+ .*?\bon (\w+)/,
    ([, table]) => [lock(table!, 'share row exclusive')],
  ],
  [/^drop trigger (?:if exists )?\w+ on (\w+)/, ([, table]) => [lock(table!, 'access exclusive')]],
  [/^drop table (?:if exists )?(\w+)/, ([, table]) => [lock(table!, 'access exclusive')]],
  [/^lock table (\w+) in (.+) mode/, ([, table, mode]) => [lock(table!, mode as LockMode)]],
  [/^(?:insert into|update|delete from) (?:only )?(\w+)/, ([, table]) => [lock(table!, 'row exclusive')]],
  [
    /^alter table (?:if exists )?(?:only )?(\w+) (.+)$/,
    ([, table, actions], { keys }) => alterLocks(table!, actions!, keys),
  ],
]

/** Each action by itself; the strongest counts in the end. */
function alterLocks(table: string, actions: string, keys: KnownNames['keys']): TableLock[] {
  return splitOutsideBrackets(actions).flatMap((action) => {
    const others = referenced(action)
    const attached = /^attach partition (\w+)/.exec(action)?.[1]
    if (attached !== undefined) return [lock(table, 'share update exclusive'), lock(attached, 'access exclusive', true)]
    const dropped = /^drop constraint (?:if exists )?(\w+)/.exec(action)?.[1]
    const pointedAt = dropped === undefined ? undefined : keys.get(`${table}.${dropped}`)
    // The other end of a foreign key goes with it.
    if (pointedAt !== undefined) return [lock(table, 'access exclusive'), lock(pointedAt, 'access exclusive')]
    if (/^validate constraint\b/.test(action)) return [lock(table, 'share update exclusive', true)]
    if (action.startsWith('set (')) return [lock(table, 'share update exclusive')]
    if (/^(?:enable|disable) trigger\b/.test(action)) return [lock(table, 'share row exclusive')]
    if (/^add (?:constraint \w+ )?foreign key\b/.test(action))
      return [lock(table, 'share row exclusive', readsAll(action)), ...others]
    return [lock(table, 'access exclusive', readsAll(action)), ...others]
  })
}

/** A rule that is made to hold at once is proved of every row; one that is not valid yet waits to be validated. */
function readsAll(action: string): boolean {
  if (/\bnot valid\b/.test(action)) return false
  if (/^add (?:constraint \w+ )?(?:check|foreign key|unique|primary key|exclude)\b/.test(action))
    return !/\busing index\b/.test(action)
  if (/^add column\b/.test(action)) return /\bcheck \(|\breferences\b|\bunique\b|\bgenerated always as \(/.test(action)
  return /^alter (?:column )?\w+ (?:set not null|type|set data type)\b/.test(action)
}

/** The strongest lock of each table that a step takes, in the order of their names. */
export function stepLocks(step: string, known: KnownNames): TableLock[] {
  const strongest = new Map<string, TableLock>()
  for (const statement of plainStatements(step)) {
    for (const [pattern, locksOf] of RULES) {
      const match = pattern.exec(statement)
      if (match === null) continue
      for (const each of locksOf(match, known)) if (each !== null) keepStronger(strongest, each)
      break
    }
  }
  return [...strongest.values()].toSorted((one, other) => (one.table < other.table ? -1 : 1))
}

function keepStronger(strongest: Map<string, TableLock>, found: TableLock): void {
  const before = strongest.get(found.table)
  const isStronger = before === undefined || LOCK_MODES.indexOf(found.mode) > LOCK_MODES.indexOf(before.mode)
  const { mode } = isStronger ? found : before
  strongest.set(found.table, { ...found, mode, isLong: found.isLong || before?.isLong === true })
}

/** Tables that a step makes: nobody else can be using them. */
export function tablesMade(step: string): Set<string> {
  const made = plainStatements(step).map(
    (statement) => /^create (?:unlogged )?table (?:if not exists )?(\w+)/.exec(statement)?.[1],
  )
  return new Set(made.filter((table) => table !== undefined))
}

/** The indexes that a step makes, by their tables. */
export function indexesMade(step: string): Map<string, string> {
  const made = plainStatements(step).map((statement) =>
    /^create (?:unique )?index (?:concurrently )?(?:if not exists )?(\w+) on (?:only )?(\w+)/.exec(statement),
  )
  return new Map(made.flatMap((match) => (match === null ? [] : [[match[1]!, match[2]!] as const])))
}

/**
 * Each on one line, in small letters. What a function will do is not done now; what a block (`do`) does is, and counts
 * even if it does it only under some condition.
 */
function plainStatements(step: string): string[] {
  return withoutComments(step)
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/'(?:[^']|'')*'/g, `''`)
    .replaceAll(/(\bdo\s+)?\$(\w*)\$(.*?)\$\2\$/gs, (_, isBlock: string | undefined, _tag, body: string) =>
      isBlock === undefined ? '' : `; ${body.replaceAll(/\b(?:begin|then|else|loop|declare)\b/gi, ';')} ;`,
    )
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter((statement) => statement !== '')
}

function splitOutsideBrackets(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const letter of text) {
    if (letter === '(') depth += 1
    if (letter === ')') depth -= 1
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.map((part) => part.trim())
}
