// How a command ends, for programs: the exit code says what kind of trouble it was, and with --json the error is JSON.
import { CommanderError } from 'commander'

import { ConfigError } from '../config/config.ts'
import { AppError } from '../core/errors.ts'
import { isLate, isOutage } from '../core/outage.ts'
import { RailUnavailable } from '../rail/port.ts'

export const EXIT_CODES = {
  done: 0,
  /** The request was refused, or what was looked at is not as it should be. */
  refused: 1,
  /** There is no such command or option. */
  usage: 2,
  /** The environment's settings cannot be used. */
  settings: 3,
  /** There is no such partner, payout, key or invoice. */
  not_found: 4,
  /** The database cannot be asked now: the same again may do it later. */
  database: 5,
  /** The bank cannot be asked now: the same again may do it later. */
  bank: 6,
} as const

export type Ending = keyof typeof EXIT_CODES

export interface Failure {
  readonly ending: Ending
  /** One line per problem. */
  readonly lines: readonly string[]
}

export function failureOf(error: unknown, words: readonly string[]): Failure {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { ending: 'done', lines: [] }
    // The command line has said it already, but for a program.
    return { ending: 'usage', lines: [error.message.replace(/^error: /, '')] }
  }
  if (error instanceof ConfigError) return { ending: 'settings', lines: error.problems }
  if (error instanceof AppError && error.code === 'not_found') {
    const said = `There is no such partner, payout, key or invoice. You wrote: ${words.join(' ')}`
    return { ending: 'not_found', lines: [said] }
  }
  return { ending: endingOf(error), lines: [inWords(error)] }
}

function inWords(error: unknown): string {
  if (isLate(error)) return 'The database did not answer in time. It is busy, or cannot be reached.'
  return error instanceof Error && error.message !== '' ? error.message : String(error)
}

function endingOf(error: unknown): Ending {
  if (isOutage(error)) return 'database'
  return error instanceof RailUnavailable ? 'bank' : 'refused'
}

export function failureAsJson({ ending, lines }: Failure): string {
  return JSON.stringify({ error: { kind: ending, exit_code: EXIT_CODES[ending], message: lines.join(' ') } })
}
