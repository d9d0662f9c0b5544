// The log: one JSON line per message, an allow-list of fields, and errors without the values that caused them.
import { type DestinationStream, type Logger, pino } from 'pino'

import { systemClock } from './core/clock.ts'

export type { Logger }

export function createLogger(options: { level: string; destination: DestinationStream }): Logger {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: safeError, req: () => undefined, res: () => undefined },
    },
    options.destination,
  )
}

let second = Number.NaN
let beginning = ''

/** As pino’s own, which asks for the whole date each time: that took a quarter of what a line costs. */
function isoTime(): string {
  const now = systemClock.now().getTime()
  const ms = now % 1_000
  if (now - ms !== second) {
    second = now - ms
    beginning = `,"time":"${new Date(second).toISOString().slice(0, -4)}`
  }
  return `${beginning}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z"`
}

/** PostgreSQL quotes the offending row in its messages; its code and constraint say enough. */
export function safeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const fields = error as Error & Record<string, unknown>
  if (typeof fields['severity'] === 'string') {
    const { code, constraint, table, routine } = fields
    return { type: 'DatabaseError', code, constraint, table, routine }
  }
  return { type: error.name, message: error.message, code: fields['code'], stack: error.stack }
}
