// Which addresses of the internet we speak to for a partner. Everything that is not plainly somebody's public server is
// refused: a partner must not reach our own network through us.
import { BlockList, isIP, isIPv4 } from 'node:net'

/** Networks inside of IPv4 that are nobody's public server (IANA's registry of special addresses). */
const NOT_PUBLIC_4: readonly (readonly [network: string, bits: number, what: string])[] = [
  ['0.0.0.0', 8, 'an unspecified'],
  ['10.0.0.0', 8, 'a private'],
  ['100.64.0.0', 10, 'a shared'],
  ['127.0.0.0', 8, 'a loopback'],
  // The metadata of most clouds is at 169.254.169.254.
  ['169.254.0.0', 16, 'a link-local'],
  // Azure's own service for its machines, in the middle of the public addresses.
  ['168.63.129.16', 32, 'a metadata'],
  ['172.16.0.0', 12, 'a private'],
  ['192.0.0.0', 24, 'a reserved'],
  ['192.0.2.0', 24, 'a documentation'],
  ['192.31.196.0', 24, 'a reserved'],
  ['192.52.193.0', 24, 'a reserved'],
  ['192.88.99.0', 24, 'a relay'],
  ['192.168.0.0', 16, 'a private'],
  ['192.175.48.0', 24, 'a reserved'],
  ['198.18.0.0', 15, 'a benchmarking'],
  ['198.51.100.0', 24, 'a documentation'],
  ['203.0.113.0', 24, 'a documentation'],
  ['224.0.0.0', 4, 'a multicast'],
  ['240.0.0.0', 4, 'a reserved'],
]

/** Only 2000::/3 is public in IPv6; these are the parts of it that are not. */
const NOT_PUBLIC_6: readonly (readonly [network: string, bits: number, what: string])[] = [
  // Teredo and 6to4 have an IPv4 address inside, which could be anything.
  ['2001::', 23, 'a reserved'],
  ['2001:db8::', 32, 'a documentation'],
  ['2002::', 16, 'a 6to4'],
  ['2620:4f:8000::', 48, 'a reserved'],
  ['3fff::', 20, 'a documentation'],
]

const LOOPBACK_4 = listOf(['127.0.0.0', 8, ''])
const GLOBAL_6 = listOf(['2000::', 3, ''])
const REFUSED = [...NOT_PUBLIC_4, ...NOT_PUBLIC_6].map((entry) => ({ what: entry[2], list: listOf(entry) }))

function listOf([network, bits]: readonly [network: string, bits: number, what: string]): BlockList {
  const list = new BlockList()
  list.addSubnet(network, bits, isIPv4(network) ? 'ipv4' : 'ipv6')
  return list
}

/** Other ways of writing it, such as ::ffff:127.0.0.1, are nobody's. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || (isIPv4(address) && LOOPBACK_4.check(address))
}

/** Null for a public address; otherwise what kind it is, as in "10.0.0.1 is a private address". */
export function whyNotPublic(address: string): string | null {
  if (isIP(address) === 0) return 'not an'
  if (address === '::1') return 'a loopback'
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  // Outside of it are also the forms with an IPv4 address inside: mapped, translated (NAT64) and compatible.
  if (family === 'ipv6' && !GLOBAL_6.check(address, family)) return 'a private, link-local, mapped or reserved'
  return REFUSED.find(({ list }) => list.check(address, family))?.what ?? null
}
