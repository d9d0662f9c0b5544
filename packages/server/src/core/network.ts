// The network that a caller is in. An IPv6 customer has a whole /64, so its addresses count as one; so do all texts
// that are no address.
import { isIPv4, isIPv6 } from 'node:net'

export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip
  if (isIPv4(mapped)) return mapped
  if (!isIPv6(mapped)) return 'unknown'
  const [head = '', tail] = (mapped.split('%')[0] ?? '').toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - after.length
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...after]
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

/** The next larger network, an IPv4 /24 or an IPv6 /48: somebody can have many networks in one for little money. */
export function neighbourhoodOf(ip: string): string {
  const network = networkOf(ip)
  const parts = network.split(/[.:]/)
  return isIPv4(network) ? `${parts.slice(0, 3).join('.')}.0/24` : `${parts.slice(0, 3).join(':')}::/48`
}
