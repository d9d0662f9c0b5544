// How much CPU our processes and all others used, from Linux's /proc. Elsewhere there are no such figures, and rounds
// cannot be judged.
import { existsSync, readFileSync, readdirSync } from 'node:fs'

const TICKS_PER_SECOND = 100
export const canSeeCpu = existsSync('/proc/stat')

/** Ticks of processes and their descendants, also of those that have ended. A process below two of them counts once. */
function ticksOf(roots, processes) {
  const counted = new Set()
  const count = (pid) => {
    if (counted.has(pid) || !processes.has(pid)) return
    counted.add(pid)
    for (const [child, { parent }] of processes) if (parent === pid) count(child)
  }
  for (const pid of roots) count(pid)
  return [...counted].reduce((sum, pid) => sum + processes.get(pid).used + processes.get(pid).ended, 0)
}

function readProcesses() {
  const processes = new Map()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      processes.set(Number(name), {
        parent: Number(fields[1]),
        used: Number(fields[11]) + Number(fields[12]),
        ended: Number(fields[13]) + Number(fields[14]),
      })
    } catch {
      // It ended in between.
    }
  }
  return processes
}

/** Busy ticks of all cores together. */
function busyTicks() {
  const [user, nice, system, , , irq, softIrq, steal] = readFileSync('/proc/stat', 'utf8')
    .split('\n')[0]
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return { busy: user + nice + system + irq + softIrq, stolen: steal }
}

function snapshot(roots, outside) {
  const processes = readProcesses()
  const used = Object.fromEntries(Object.entries(roots).map(([name, pids]) => [name, ticksOf(pids, processes)]))
  return { used, own: ticksOf([process.pid, ...outside], processes), ...busyTicks(), at: performance.now() }
}

/**
 * Measures the CPU that `work` costs: seconds per named group of processes, and the share of the machine that others
 * took. `outside` are pids of ours that need be no descendants of this process.
 */
export async function withCpu(roots, outside, cores, work) {
  if (!canSeeCpu) return { result: await work(), seconds: {}, foreign: null }
  const before = snapshot(roots, outside)
  const result = await work()
  const after = snapshot(roots, outside)
  const seconds = Object.fromEntries(
    Object.keys(roots).map((name) => [name, (after.used[name] - before.used[name]) / TICKS_PER_SECOND]),
  )
  const ours = after.own - before.own
  const capacity = ((after.at - before.at) / 1_000) * TICKS_PER_SECOND * cores
  const others = after.busy - before.busy + (after.stolen - before.stolen) - ours
  return { result, seconds, foreign: Math.max(0, others / capacity) }
}

/** CPU seconds of processes and their descendants so far. */
export const secondsOf = (...pids) => ticksOf(pids, readProcesses()) / TICKS_PER_SECOND

const LOOK_MS = 300
const MOST_AT_REST = 0.15

/**
 * Resolves once everything of ours is at rest: what a side leaves behind, such as messages of a bank, would be in the figures of
 * the next. `outside` are pids of ours that need be no descendants of this process. Not for ever: what never rests is seen elsewhere.
 */
export async function untilAllRest(outside, { longestMs = 60_000 } = {}) {
  if (!canSeeCpu) return
  const used = () => secondsOf(process.pid, ...outside)
  const deadline = performance.now() + longestMs
  let before = used()
  while (performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    const now = used()
    if ((now - before) / (LOOK_MS / 1_000) < MOST_AT_REST) return
    before = now
  }
}

/** Resident memory of a process in bytes; not a number where nobody says. */
export function residentBytes(pid) {
  if (!canSeeCpu) return Number.NaN
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [0, 0]
  return Number(kilobytes) * 1_024
}
