// Resolves a name and refuses it unless every address is one that we speak to. A connection is made to an address of this
// answer and no other, so a name that answers differently a moment later gains nothing.
import { promises as dns } from 'node:dns'
import { isIP } from 'node:net'

import type { WhyClosed } from './closed-networks.ts'
import type { Reach } from './endpoint-url.ts'
import { isLoopbackAddress, whyNotPublic } from './public-address.ts'

export interface FoundAddress {
  readonly address: string
  readonly family: 4 | 6
}

export type Resolve = (host: string) => Promise<readonly FoundAddress[]>

/** Short, because a name server that does not answer is somebody's too. */
const ASK = { timeout: 2_000, tries: 2 }

/**
 * Not `lookup`, which holds one of the few threads that this process has for files and for the bank's own name, for as
 * long as a hostile name server likes.
 */
export const resolveByName: Resolve = async (host) => {
  const resolver = new dns.Resolver(ASK)
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const of = (answer: PromiseSettledResult<string[]>, family: 4 | 6) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
  const found = [...of(four, 4), ...of(six, 6)]
  if (found.length === 0 && four.status === 'rejected') throw four.reason
  return found
}

/** Not what it leads to, nor whether anybody has it: our own name servers know more than the internet does. */
export const NOT_PUBLIC = 'its name leads to no public address'

/** The name has an address that we do not speak to. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError'
  readonly code = 'ERR_REFUSED_ADDRESS'
}

/** How names become addresses, and which of the public ones are not spoken to. */
export interface Resolving {
  readonly resolve: Resolve
  readonly whyClosed: WhyClosed
}

export async function resolveChecked(
  { resolve, whyClosed }: Resolving,
  host: string,
  reach: Reach,
): Promise<readonly FoundAddress[]> {
  const found = await addressesOf(resolve, host, reach)
  if (found.length === 0) throw Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' })
  for (const { address } of found) {
    const why = reach === 'here' ? whyNotHere(address) : (whyNotPublic(address) ?? whyClosed(address))
    if (why !== null) throw new RefusedAddressError(isIP(host) === 0 ? NOT_PUBLIC : `${address} is ${why} address`)
  }
  return found
}

async function addressesOf(resolve: Resolve, host: string, reach: Reach): Promise<readonly FoundAddress[]> {
  const family = isIP(host)
  if (family !== 0) return [{ address: host, family: family === 6 ? 6 : 4 }]
  // Nobody is asked for the name of this machine.
  if (reach === 'here' && host === 'localhost') {
    return [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]
  }
  return resolve(host)
}

function whyNotHere(address: string): string | null {
  return isLoopbackAddress(address) ? null : 'not a loopback'
}
