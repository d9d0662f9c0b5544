import type { Command } from 'commander'

import { forgetKeys, rotateKeys } from '../config/change-secrets.ts'
import { KEY_VARIABLES } from '../config/secrets.ts'
import { keyId } from '../core/seal.ts'
import { counted } from '../core/words.ts'
import type { Deps } from '../domain/deps.ts'
import { type KeyStatus, type SecretsStatus, readKeyStatus } from '../domain/secrets/key-status.ts'
import { type KeyPurpose, knownKeys } from '../domain/secrets/known-keys.ts'
import type { CommandContext } from './command-context.ts'
import { existingSecrets, withDeps, withDepsOfAnyKeys } from './context.ts'
import { print } from './print.ts'

export function addSecretsCommands(secrets: Command, context: CommandContext): void {
  secrets
    .command('status')
    .description('which keys there are, by id, and how many rows still need which')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const given = await existingSecrets(context)
      const status = await withDepsOfAnyKeys(context, (deps) => readKeyStatus(deps, given))
      print(present(status), options, () => keysInWords(status, areGiven(context)))
    })
  secrets
    .command('rotate')
    .description('make new keys; the service uses them from its next start, and needs the old ones until all is moved')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      await existingSecrets(context)
      const isGiven = areGiven(context)
      if (!isGiven) await rotateKeys(context.config.dataDir)
      print({ rotated: !isGiven }, options, () => (isGiven ? whatToSet() : whatIsNext(context.config.dataDir)))
    })
  secrets
    .command('forget')
    .description('take those old keys out of secrets.json that no row needs any more')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const forgotten = await withDeps(context, (deps) => forgetUnneeded(context, deps))
      print({ forgotten }, options, () => [
        ...forgotten.map(({ purpose, id }) => `The ${purpose} key ${id} is forgotten.`),
        ...(forgotten.length === 0 ? ['There is no old key that could be forgotten.'] : []),
      ])
    })
}

/** Keys from the environment are the operator's to change. */
function areGiven({ env }: CommandContext): boolean {
  return Object.values(KEY_VARIABLES).some((name) => (env[name] ?? '') !== '')
}

function whatToSet(): string[] {
  return [
    'The keys are set in the environment, so nothing was changed. Of every process:',
    ...Object.values(KEY_VARIABLES).flatMap((name) => [
      `- put the value of ${name} in front of ${name}S_OLD, separated by a comma,`,
      `  and set ${name} to a new one, from: openssl rand -hex 32`,
    ]),
    'Start them again, the worker too, and look at: kestrel secrets status',
  ]
}

function whatIsNext(dataDir: string): string[] {
  return [
    `There are new keys in ${dataDir}/secrets.json, and the old ones are kept beside them: back the file up now.`,
    'Start the service again. Its worker moves every row to the new keys; kestrel secrets status tells how far it is.',
    'When no row needs the old keys any more: kestrel secrets forget',
  ]
}

const MAY_GO: ReadonlySet<KeyStatus['state']> = new Set(['unused', 'older', 'retired'])

async function forgetUnneeded(context: CommandContext, deps: Deps): Promise<Pick<KeyStatus, 'purpose' | 'id'>[]> {
  if (areGiven(context)) {
    throw new Error(
      'The keys are set in the environment: take those that no row needs out of the variables that end in _OLD.',
    )
  }
  const { keys, isMoving } = await readKeyStatus(deps, await existingSecrets(context))
  if (isMoving) throw new Error('Rows are still being moved to the newest keys. Look at: kestrel secrets status')
  const unneeded = keys.filter(({ state, rows, isHere }) => isHere && rows === 0 && MAY_GO.has(state))
  const bytes = (purpose: KeyPurpose) =>
    knownKeys(deps.secrets, purpose).filter((key) =>
      unneeded.some((each) => each.purpose === purpose && each.id === keyId(key).toString('hex')),
    )
  await forgetKeys(context.config.dataDir, { seal: bytes('seal'), fingerprint: bytes('fingerprint') })
  return unneeded.map(({ purpose, id }) => ({ purpose, id }))
}

function present({ keys, isMoving }: SecretsStatus) {
  return {
    keys: keys.map(({ purpose, id, state, rows, isHere }) => ({ purpose, id, state, rows, is_here: isHere })),
    is_moving: isMoving,
  }
}

const STATES: Readonly<Record<KeyStatus['state'], string>> = {
  new: 'used from the next start',
  unused: 'never used: no start has had it as the newest',
  newest: 'newest',
  older: 'older',
  retired: 'retired',
}

export function keysInWords({ keys, isMoving }: SecretsStatus, areFromEnvironment: boolean): string[] {
  const older = keys.filter(({ state, rows }) => state === 'older' && rows > 0)
  const end = isMoving
    ? 'The worker is moving rows to the newest keys.'
    : older.length > 0
      ? 'Some rows could not be moved: see the alarms.'
      : 'No row needs an older key.'
  return [
    ...keys.map(inOneLine),
    end,
    ...(keys.some(({ state }) => state === 'unused') ? [aboutUnused(areFromEnvironment)] : []),
  ]
}

function inOneLine({ purpose, id, state, rows, isHere }: KeyStatus): string {
  const start = `${purpose.padEnd(12)} ${id}  ${STATES[state]}`
  if (state === 'new' || state === 'unused') return start
  const missing = isHere || state === 'retired' ? '' : ', and it is not among the keys here'
  return `${start}: ${counted(rows, 'row needs', 'rows need')} it${missing}`
}

function aboutUnused(areFromEnvironment: boolean): string {
  return areFromEnvironment
    ? 'Keys that were never used are needed by nothing, unless a process is still to have one as its own.'
    : 'Keys that were never used are needed by nothing: kestrel secrets forget'
}
