// All commands: what each is called and takes. Their work is loaded when they are called.
import type { Command } from './command.ts'
import { ACCOUNT_COMMANDS } from './commands/account-commands.ts'
import { INTEGRATION_COMMANDS } from './commands/integration-commands.ts'
import { PAYOUT_COMMANDS } from './commands/payout-commands.ts'
import { type Failure, misuse } from './failure.ts'
import { nearest } from './nearest.ts'

export const COMMANDS: readonly Command[] = [...ACCOUNT_COMMANDS, ...PAYOUT_COMMANDS, ...INTEGRATION_COMMANDS]

/** Two words, or one. */
export function findCommand(words: readonly string[]): Command | null {
  const two = words.slice(0, 2).join(' ')
  return COMMANDS.find(({ name }) => name === two) ?? COMMANDS.find(({ name }) => name === words[0]) ?? null
}

export function unknownCommand(words: readonly string[]): Failure {
  const [first = '', second] = words
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name)
  const close =
    group.length > 0
      ? nearest(`${first} ${second ?? ''}`, group)
      : nearest(first, [...new Set(COMMANDS.flatMap(({ name }) => [name, name.split(' ')[0]!]))])
  const said = group.length > 0 ? `${first} ${second ?? ''}`.trim() : first
  return misuse(
    `There is no command "${said}".${close === null ? '' : ` Did you mean ${close}?`}`,
    'kestrel-pay --help lists all.',
  )
}
