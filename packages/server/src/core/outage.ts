// Errors that mean "not now" rather than "never": the database is away, restarting, too busy, or takes no writes. Or a statement was not
// prepared (26000), because whoever shares the connection and sent it first was kept waiting too long: it has certainly not run.
const OUTAGE_CODES = /^(53...|55P03|57014|40P01|58030|26000)$/

/**
 * After these errors the connection is useless. A session that became read-only stays so, even when its server
 * recovers.
 */
const LOST_CODES =
  /^(08...|25006|25P0[34]|57P0[1-5]|ECONN[A-Z]+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/
const LOST_MESSAGES = /connection terminated|connection error|client was closed/i
/** All that pg says of a connection that was not made in time. */
const LATE_MESSAGES = /timeout exceeded when trying to connect|^timeout expired$/i

export function isOutage(error: unknown): boolean {
  return isLostConnection(error) || OUTAGE_CODES.test(codeOf(error))
}

export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return LOST_CODES.test(codeOf(error)) || LOST_MESSAGES.test(error.message) || isLate(error)
}

/** No connection was made in time. */
export function isLate(error: unknown): boolean {
  return error instanceof Error && LATE_MESSAGES.test(error.message)
}

function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : ''
}

/** The database has committed, and stopped waiting for the standby that should have it too: nobody knows if it will last. */
export class UnconfirmedError extends Error {
  override readonly name = 'UnconfirmedError'
  readonly code = '08007'

  constructor() {
    super('The database has stopped waiting for its standby: the transaction may not outlast a failover.')
  }
}

/** The other end owes an answer and is silent: the connection is not cut, and nothing comes. */
export class SilenceError extends Error {
  override readonly name = 'SilenceError'
  readonly code = 'ETIMEDOUT'

  constructor(afterMs: number) {
    super(`The database has not answered for ${afterMs / 1_000} s.`)
  }
}
