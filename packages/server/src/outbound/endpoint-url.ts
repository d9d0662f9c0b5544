// Whether a partner's receiver may be at this address, as far as the text says. What its name resolves to is looked at
// when a receiver is created, and again for every connection (resolve-checked.ts).
import { isIP, isIPv4 } from 'node:net'

import { isLoopbackAddress, whyNotPublic } from './public-address.ts'

/** `here`: this machine and nothing else. `public`: the internet, and never this machine or its networks. */
export type Reach = 'here' | 'public'

export type UrlVerdict =
  | { readonly isAllowed: true; readonly url: URL; readonly reach: Reach }
  | { readonly isAllowed: false; readonly why: string }

/** Names that never belong to a public server, whatever a resolver says. */
const NEVER_PUBLIC = /(^|\.)(localhost|local|localdomain|internal|intranet|private|corp|lan|home|onion|home\.arpa)$/

/** Letters beyond ASCII are written as several. */
const LONGEST_URL = 2_000

/** Below 1024 are the services of operating systems, mail among them, which must not be spoken to through us. */
const LOWEST_OPEN_PORT = 1_024

/** @param mayReachHere Whether a receiver on this machine is fine: a sandbox whose service runs for this machine alone. */
export function judgeUrl(text: string, mayReachHere: boolean): UrlVerdict {
  const refused = (why: string): UrlVerdict => ({ isAllowed: false, why })
  if (!URL.canParse(text) || /[\s\\]/.test(text)) return refused('it is not a URL that can be read')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refused('it must begin with https://')
  if (url.username !== '' || url.password !== '') return refused('it must not contain a user name or a password')
  if (url.hash !== '') return refused('it must not have a part after #, which no server sees')
  if (url.href.length > LONGEST_URL) return refused(`it is longer than ${LONGEST_URL} characters, written out`)
  const host = bareHost(url)
  if (isIPv4(host) && !text.includes(`//${host}`)) return refused(`it writes the address ${host} in an unusual form`)
  if (isHere(host)) {
    if (!mayReachHere)
      return refused(`${host} is this machine, which is for the sandbox of a service on your own machine`)
    return { isAllowed: true, url, reach: 'here' }
  }
  if (url.protocol === 'http:')
    return refused('it must begin with https://; http:// is for this machine in sandbox only')
  const port = url.port === '' ? 443 : Number.parseInt(url.port, 10)
  if (port !== 443 && port < LOWEST_OPEN_PORT)
    return refused(`port ${port} is not one for receivers: use 443, or 1024 and above`)
  const why = whyNotThisHost(host)
  return why === null ? { isAllowed: true, url, reach: 'public' } : refused(why)
}

/** Without the brackets of IPv6, in lower case. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

function isHere(host: string): boolean {
  return host === 'localhost' || isLoopbackAddress(host)
}

function whyNotThisHost(host: string): string | null {
  if (isIP(host) !== 0) {
    const kind = whyNotPublic(host)
    return kind === null ? null : `${host} is ${kind} address`
  }
  const name = host.replace(/\.$/, '')
  if (!name.includes('.')) return `${host} is not a full name, such as hooks.example.com`
  return NEVER_PUBLIC.test(name) ? `${host} is a name inside of a network` : null
}
