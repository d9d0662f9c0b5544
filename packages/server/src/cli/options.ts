import type { Environment } from '@kestrel/contract'

import { AppError } from '../core/errors.ts'
import { parseDay, startOfDay } from '../core/london-day.ts'
import { type MicroUsdc, type Pence, parsePence, parseUsdc } from '../core/money.ts'

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
