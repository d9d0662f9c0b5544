// How much CPU our processes and all others used, from Linux's /proc. Elsewhere there are no such figures, and rounds
// cannot be judged.
import { existsSync, readFileSync, readdirSync } from 'node:fs'

const TICKS_PER_SECOND = 100
export const canSeeCpu = existsSync('/proc/stat')

/** Ticks of a process, its descendants, and those of its children that have ended. */
function ticksOfTree(root, processes) {
  const own = processes.get(root)
  if (own === undefined) return 0
  const live = (pid) =>
    [...processes].reduce(
      (sum, [child, each]) => sum + (each.parent === pid ? live(child) : 0),
      processes.get(pid).used,
    )
  return live(root) + own.ended
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

function snapshot(roots) {
  const processes = readProcesses()
  const used = Object.fromEntries(
    Object.entries(roots).map(([name, pids]) => [
      name,
      pids.reduce((sum, pid) => sum + ticksOfTree(pid, processes), 0),
    ]),
  )
  return { used, own: ticksOfTree(process.pid, processes), ...busyTicks(), at: performance.now() }
}

/**
 * Measures the CPU that `work` costs: seconds per named group of processes, and the share of the machine that others
 * took. `outside` are pids of ours that are no descendants of this process.
 */
export async function withCpu(roots, outside, cores, work) {
  if (!canSeeCpu) return { result: await work(), seconds: {}, foreign: null }
  const all = { ...roots, outside }
  const before = snapshot(all)
  const result = await work()
  const after = snapshot(all)
  const seconds = Object.fromEntries(
    Object.keys(roots).map((name) => [name, (after.used[name] - before.used[name]) / TICKS_PER_SECOND]),
  )
  const ours = after.own - before.own + (after.used.outside - before.used.outside)
  const capacity = ((after.at - before.at) / 1_000) * TICKS_PER_SECOND * cores
  const others = after.busy - before.busy + (after.stolen - before.stolen) - ours
  return { result, seconds, foreign: Math.max(0, others / capacity) }
}

/** CPU seconds of a process and its descendants so far. */
export const secondsOf = (pid) => ticksOfTree(pid, readProcesses()) / TICKS_PER_SECOND

const LOOK_MS = 300
const MOST_AT_REST = 0.15

/**
 * Resolves once everything of ours is at rest: what a side leaves behind, such as messages of a bank, would be in the figures of
 * the next. `outside` are pids of ours that are no descendants of this process. Not for ever: what never rests is seen elsewhere.
 */
export async function untilAllRest(outside, { longestMs = 60_000 } = {}) {
  if (!canSeeCpu) return
  const used = () => [process.pid, ...outside].reduce((sum, pid) => sum + secondsOf(pid), 0)
  const deadline = performance.now() + longestMs
  let before = used()
  while (performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    const now = used()
    if ((now - before) / (LOOK_MS / 1_000) < MOST_AT_REST) return
    before = now
  }
}

/** Resident memory of a process in bytes. */
export function residentBytes(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [0, 0]
  return Number(kilobytes) * 1_024
}
