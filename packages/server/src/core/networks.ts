// Networks that a key may be used from: an address, or an address and how many of its bits count.
import { BlockList, isIPv4, isIPv6 } from 'node:net'

interface Network {
  readonly address: string
  readonly bits: number
  readonly family: 'ipv4' | 'ipv6'
}

/** `203.0.113.0/24` or `2001:db8::/32`; a single address counts whole. Null for anything else. */
export function parseNetwork(text: string): string | null {
  const network = networkIn(text)
  return network === null ? null : `${network.address}/${network.bits}`
}

function networkIn(text: string): Network | null {
  const [, address = '', bitsText] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : null
  // As IPv6 its bits would count from the wrong end, and take in everybody: it is written as IPv4.
  if (family === null || isMapped(address)) return null
  const most = family === 'ipv4' ? 32 : 128
  const bits = bitsText === undefined ? most : Number.parseInt(bitsText, 10)
  return bits > most ? null : { address: address.toLowerCase(), bits, family }
}

export function isWithin(ip: string, networks: readonly string[]): boolean {
  const address = withoutMapping(ip)
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : null
  if (family === null) return false
  const list = new BlockList()
  for (const text of networks) {
    const network = networkIn(text)
    // Only its own kind: a list that has both finds every IPv4 address in ::/0 and in much that is smaller.
    if (network?.family === family) list.addSubnet(network.address, network.bits, family)
  }
  return list.check(address, family)
}

const MAPPED = new BlockList()
MAPPED.addSubnet('::ffff:0:0', 96, 'ipv6')

function isMapped(address: string): boolean {
  return isIPv6(address) && MAPPED.check(address, 'ipv6')
}

/** An IPv4 address as a socket for both kinds shows it. */
function withoutMapping(ip: string): string {
  const bare = ip.split('%')[0] ?? ''
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare
}

/** Whether every address of the inner network is in one of the outer ones. */
export function covers(outer: readonly string[], inner: string): boolean {
  const within = networkIn(inner)
  if (within === null) return false
  return outer.some((text) => {
    const network = networkIn(text)
    return network !== null && network.bits <= within.bits && isWithin(within.address, [text])
  })
}
