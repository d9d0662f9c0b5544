// Whether a command may have changed something, by what went over the wire: when it ends without an answer, that decides what
// it can say.

export interface Doubt {
  mayHaveChanged: boolean
}

export function noticing(ask: typeof fetch, doubt: Doubt): typeof fetch {
  return async (address, init) => {
    if (!isChange(address, init)) return ask(address, init)
    try {
      const answer = await ask(address, init)
      if (answer.ok || answer.status >= 500) doubt.mayHaveChanged = true
      return answer
    } catch (error) {
      if (!isNeverHeard(error)) doubt.mayHaveChanged = true
      throw error
    }
  }
}

/** A quote is asked for with POST, and changes nothing. */
function isChange(address: Parameters<typeof fetch>[0], init: RequestInit | undefined): boolean {
  return (init?.method ?? 'GET') !== 'GET' && !(typeof address === 'string' && address.endsWith('/v1/quotes'))
}

const NEVER_CONNECTED: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

/** A name can have several addresses: each of them has to have refused. */
function isNeverHeard(error: unknown): boolean {
  const { cause } = (error ?? {}) as { cause?: { code?: unknown; errors?: readonly { code?: unknown }[] } }
  const codes = cause?.errors?.map(({ code }) => code) ?? [cause?.code]
  return codes.length > 0 && codes.every((code) => NEVER_CONNECTED.has(code))
}
