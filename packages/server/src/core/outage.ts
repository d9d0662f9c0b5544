// Errors that mean "not now" rather than "never": the database is away, restarting or too busy.
const OUTAGE_CODES = /^(08...|53...|55P03|57P0[1-5]|57014|40P01|ECONN[A-Z]+|EPIPE|ETIMEDOUT|ENOTFOUND)$/
const OUTAGE_MESSAGES =
  /connection terminated|connection error|client was closed|timeout exceeded when trying to connect/i

export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as { code?: unknown }).code
  return (typeof code === 'string' && OUTAGE_CODES.test(code)) || OUTAGE_MESSAGES.test(error.message)
}
