// Why no answer came, in the runtime's own words.

/** They are in the cause: "fetch failed" helps nobody. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!(error.cause instanceof Error)) return error.message
  const { message, code } = error.cause as Error & { code?: unknown }
  // Of several addresses none answered, or what OpenSSL says has places in its own source: the code is what can be looked up.
  const isCodeBetter = message === '' || /:error:/.test(message)
  return (isCodeBetter && typeof code === 'string' ? code : message) || error.message
}
