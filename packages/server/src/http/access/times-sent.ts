import type { IncomingMessage } from 'node:http'

/** How often a request has a header, by its name in small letters. Node shows one of several. */
export function timesSent({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, header: string): number {
  let times = 0
  // Names and values in turn.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === header.length && name.toLowerCase() === header) times++
  }
  return times
}
