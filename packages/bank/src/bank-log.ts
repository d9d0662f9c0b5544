// What the bank writes to the log: an allow-list of fields, and errors without the values that caused them.
import type { Logger } from 'pino'

export class BankLog {
  readonly #log: Logger

  constructor(log: Logger) {
    this.#log = log
  }

  request(line: { requestId: string; method: string; route: string; status: number | null; ms: number }): void {
    this.#log.info(line, 'bank request')
  }

  failure(what: string, error: unknown): void {
    this.#log.error({ problem: problemOf(error) }, what)
  }
}

/** PostgreSQL quotes the offending row in its messages; its code and constraint say enough. */
function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const { severity, code, constraint } = error as Error & Record<string, unknown>
  if (typeof severity === 'string')
    return ['database error', code, constraint].filter((part) => typeof part === 'string').join(' ')
  return error.stack ?? error.message
}
