import { readFileSync } from 'node:fs'

/**
 * Tells one run of a pid from another, where the system lets us: after a reboot or in a
 * restarted container the same pid often belongs to something else.
 */
export function processIdentity(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command name may contain spaces and brackets, so count fields after its last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z') return null
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}/${fields[19]}`
  } catch {
    return null
  }
}

export function isAlive({ pid, identity }) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (error.code !== 'EPERM') return false
  }
  return identity === null || processIdentity(pid) === identity
}
