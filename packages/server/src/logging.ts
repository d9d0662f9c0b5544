// The log: one JSON line per message, an allow-list of fields, and errors without the values that caused them.
import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

export function createLogger(options: { level: string; destination: DestinationStream }): Logger {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: safeError, req: () => undefined, res: () => undefined },
    },
    options.destination,
  )
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
