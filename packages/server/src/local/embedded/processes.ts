import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { errorCode } from './errors.ts'

/** Whether a process with this pid lives, whoever owns it. A zombie counts as dead. */
export function isAlive(pid: number): boolean {
  return isTaken(pid) && procStat(pid)?.state !== 'Z'
}

/** Whether the number is in use, be it by a zombie. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives, but belongs to somebody else.
    return errorCode(error) === 'EPERM'
  }
}

/**
 * Tells one life of a pid from the next: after a reboot, or in a restarted container, the same
 * number often belongs to something else. Null when the system does not tell.
 */
export function lifeOf(pid: number): string | null {
  if (process.platform === 'linux') {
    const started = procStat(pid)?.startTicks
    const boot = readText('/proc/sys/kernel/random/boot_id')?.trim()
    return started === undefined || boot === undefined ? null : `${boot}/${started}`
  }
  return process.platform === 'win32' ? null : ps(pid, 'lstart=')
}

/** The command a process was started with, or null when it cannot be read. */
export function commandOf(pid: number): string | null {
  if (process.platform === 'linux') {
    return readText(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim() ?? null
  }
  return process.platform === 'win32' ? null : ps(pid, 'command=')
}

interface ProcStat {
  readonly state: string
  readonly startTicks: string
}

function procStat(pid: number): ProcStat | null {
  const text = readText(`/proc/${pid}/stat`)
  if (text === null) return null
  // The command name may hold spaces and brackets, so count fields after its last bracket.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? '', startTicks: fields[19] ?? '' }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function ps(pid: number, column: string): string | null {
  try {
    const output = execFileSync('ps', ['-ww', '-o', column, '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return output.trim() || null
  } catch {
    return null
  }
}
