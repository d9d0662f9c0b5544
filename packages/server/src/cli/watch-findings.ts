// Doctor's findings about what is watched: the worker's pulse, open alarms, proxies that are not named, and the age of the
// modulus table.
import { BlockList, isIPv6 } from 'node:net'

import type { Config } from '../config/config.ts'
import { systemClock } from '../core/clock.ts'
import { networkOf } from '../core/network.ts'
import { momentInWords } from '../core/words.ts'
import type { Deps } from '../domain/deps.ts'
import { TABLE_IS_OLD_MS, chooseModulusTable, modulusTableDate } from '../domain/modulus/chosen-table.ts'
import { readUnnamedProxies } from '../domain/watch/proxy-book.ts'
import { PULSE, type Watch, readWatch } from '../domain/watch/read-watch.ts'
import { type Finding, problem, reasonOf, warning, well } from './finding.ts'

/** A worker runs a round five times per second and notes it every five seconds. */
const LONGEST_SILENCE_MS = 60_000

export async function watchFindings(deps: Deps, config: Config): Promise<Finding[]> {
  const watch = await readWatch(deps)
  return [workerFinding(watch), alarmFinding(watch), proxyFinding(await readUnnamedProxies(deps), config)]
}

/** Behind a proxy that is not named, everybody has the limits of one network between them. */
export function proxyFinding(
  seen: readonly { readonly network: string }[],
  { trustProxy }: Pick<Config, 'trustProxy'>,
): Finding {
  const name = 'Proxies'
  // What was named since is told of no more, without waiting for a day.
  const unnamed = seen.map(({ network }) => network).filter((network) => !isAmong(trustProxy, network))
  if (unnamed.length === 0) return well(name, 'none forwards requests that TRUST_PROXY does not name')
  const verb = unnamed.length === 1 ? 'forwards' : 'forward'
  const cure = 'who share the limits of one network. If it is a proxy of yours, name it in TRUST_PROXY'
  return warning(name, `${unnamed.join(', ')} ${verb} requests of several callers, ${cure}`)
}

function isAmong(trusted: readonly string[], network: string): boolean {
  const list = new BlockList()
  for (const each of trusted) {
    const [address = '', bits] = each.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number.parseInt(bits, 10), family)
  }
  const [address = ''] = network.split('/')
  // An IPv6 proxy is noticed by its network, and may be named by its address.
  const isIn = trusted.some((each) => networkOf(each.split('/')[0] ?? '') === network)
  return isIn || list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

function workerFinding({ jobs }: Watch): Finding {
  const at = jobs.find(({ job }) => job === PULSE)?.lastRoundAt ?? null
  if (at === null) return warning('Worker', 'none has run on this database yet: payouts are not followed without one')
  const isAlive = systemClock.now().getTime() - at.getTime() <= LONGEST_SILENCE_MS
  if (isAlive) return well('Worker', 'came round within the last minute')
  return problem('Worker', `the last round was ${momentInWords(at)}: start one, payouts are not followed without it`)
}

function alarmFinding({ alarms }: Watch): Finding {
  if (alarms.length === 0) return well('Alarms', 'none is open')
  const which = alarms.map(({ what, open }) => (open === 1n ? what : `${what} (${open})`))
  return problem('Alarms', `${which.join('; ')}. See kestrel alarms list, and docs/operations.md`)
}

export function tableFinding({ modulusTable }: Config): Finding {
  const name = 'Modulus table'
  try {
    chooseModulusTable(modulusTable)
  } catch (error) {
    return problem(name, reasonOf(error))
  }
  const date = modulusTableDate()
  if (date === null) return warning(name, 'none: which accounts can exist is left to the bank (MODULUS_TABLE=none)')
  const day = date.toISOString().slice(0, 10)
  const isOld = systemClock.now().getTime() - date.getTime() > TABLE_IS_OLD_MS
  if (!isOld) return well(name, `is of ${day}`)
  return warning(name, `is of ${day}: set MODULUS_TABLE to a newer valacdos file of Vocalink’s, or to none`)
}
