import { CommanderError } from 'commander'
import { describe, expect, it } from 'vitest'

import { ConfigError } from '../config/config.ts'
import { AppError, notFound } from '../core/errors.ts'
import { RailUnavailable } from '../rail/port.ts'
import { EXIT_CODES, failureAsJson, failureOf } from './exit-codes.ts'

const refusedConnection = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

describe('the exit code', () => {
  it.each([
    [new AppError('invalid_request', '--month must be like 2026-10.'), 'refused'],
    [new Error('something else'), 'refused'],
    [new CommanderError(1, 'commander.unknownCommand', "error: unknown command 'fly'"), 'usage'],
    [new CommanderError(0, 'commander.version', '1.3.0'), 'done'],
    [new ConfigError(['PORT must be a whole number.']), 'settings'],
    [notFound(), 'not_found'],
    [refusedConnection, 'database'],
    [new RailUnavailable('The bank could not be reached (ECONNREFUSED).'), 'bank'],
  ] as const)('of %s says what kind of trouble it was', (error, ending) => {
    expect(failureOf(error, ['key', 'revoke', 'x']).ending).toBe(ending)
  })

  it('comes with words where pg has none', () => {
    expect(failureOf(new Error('timeout expired'), [])).toEqual({
      ending: 'database',
      lines: ['The database did not answer in time. It is busy, or cannot be reached.'],
    })
  })

  it('is another for each kind', () => {
    const codes = Object.values(EXIT_CODES)
    expect(new Set(codes).size).toBe(codes.length)
  })

  it('comes with the same in JSON', () => {
    const failure = failureOf(new ConfigError(['PORT is wrong.', 'HOST too.']), [])
    expect(JSON.parse(failureAsJson(failure))).toEqual({
      error: { kind: 'settings', exit_code: 3, message: 'PORT is wrong. HOST too.' },
    })
  })
})
