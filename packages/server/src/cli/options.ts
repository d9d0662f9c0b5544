import type { Environment } from '@kestrel/contract'

import { AppError } from '../core/errors.ts'
import { parseDay, startOfDay } from '../core/london-day.ts'
import { type MicroUsdc, type Pence, parseDecimalUsdc, parsePence, parseUsdc } from '../core/money.ts'

export function requireEnvironment(text: string): Environment {
  if (text === 'sandbox' || text === 'live') return text
  throw new AppError('invalid_request', `--environment must be sandbox or live; it is ${JSON.stringify(text)}.`)
}

export function requireUsdc(text: string): MicroUsdc {
  const amount = parseUsdc(text)
  if (amount !== null && amount > 0n) return amount
  throw new AppError(
    'invalid_request',
    `--usdc must be more than zero, with two decimals; it is ${JSON.stringify(text)}.`,
  )
}

/** To the millionth: a difference from the bank's books may be that small. */
export function requireExactUsdc(text: string): MicroUsdc {
  const amount = parseDecimalUsdc(text)
  if (amount !== null && amount > 0n) return amount
  throw new AppError(
    'invalid_request',
    `--usdc must be more than zero, with at most six decimals; it is ${JSON.stringify(text)}.`,
  )
}

/** Zero too: nothing may have come. */
export function requireNoLessUsdc(text: string): MicroUsdc {
  const amount = parseDecimalUsdc(text)
  if (amount !== null) return amount
  throw new AppError('invalid_request', `--usdc must be like 31.50; it is ${JSON.stringify(text)}.`)
}

export function requireReason(text: string): string {
  const reason = text.trim()
  if (reason !== '' && reason.length <= 500) return reason
  throw new AppError('invalid_request', '--reason must say why, in at most 500 characters. It is kept for ever.')
}

/** A moment with its zone, so that nobody has to guess. */
export function requireMoment(option: string, text: string): Date {
  const isWhole = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text)
  const moment = new Date(isWhole ? text : Number.NaN)
  if (!Number.isNaN(moment.getTime())) return moment
  throw new AppError(
    'invalid_request',
    `${option} must be a moment with its zone, like 2026-11-01T09:30:00Z; it is ${JSON.stringify(text)}.`,
  )
}

export function requirePounds(option: string, text: string): Pence {
  const amount = parsePence(text)
  if (amount !== null) return amount
  throw new AppError('invalid_request', `${option} must be like 2.50; it is ${JSON.stringify(text)}.`)
}

/** The start of a day in London. */
export function requireDay(option: string, text: string): Date {
  const day = parseDay(text)
  if (day !== null) return startOfDay(day)
  throw new AppError('invalid_request', `${option} must be a day like 2026-11-01; it is ${JSON.stringify(text)}.`)
}
