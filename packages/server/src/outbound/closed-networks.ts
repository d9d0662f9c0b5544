// Public addresses that are ours all the same: those of this machine, and the networks that the operator names. A partner must
// not reach through us what listens there for us alone.
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Null for an address that may be spoken to; otherwise what it is, as in "is this machine’s own address". */
export type WhyClosed = (address: string) => string | null

/** @param networks Addresses, or networks such as 192.0.2.0/24. */
export function createClosedNetworks(
  networks: readonly string[],
  ownAddresses: () => readonly string[] = addressesOfThisMachine,
): WhyClosed {
  const named = listOf(networks)
  return (address) => {
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (named.check(address, family)) return 'a closed'
    // Read each time: a machine gets other addresses while the service runs.
    return listOf(ownAddresses()).check(address, family) ? 'this machine’s own' : null
  }
}

export function addressesOfThisMachine(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address))
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [written = '', bits] = network.split('/')
    // A link-local address may have the name of its interface after it, and is never public.
    const address = written.replace(/%.*$/, '')
    const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : null
    if (family === null) continue
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number.parseInt(bits, 10), family)
  }
  return list
}
