// The processes of one folder: each is written down before anything else is done with it, and only those are ever ended.
import { spawn } from 'node:child_process'
import { existsSync, openSync, closeSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** `name` is its place in the book and the name of its log. */
export function startProcess(folder, name, { command, args, env, ids = {} }) {
  const log = openSync(join(folder, 'logs', `${name}.log`), 'a')
  try {
    const child = spawn(command, args, { cwd: folder, env, ...ids, stdio: ['ignore', log, log], detached: true })
    child.on('error', () => undefined)
    if (child.pid === undefined) throw new Error(`${command} could not be started`)
    child.unref()
    note(folder, name, { pid: child.pid, startedAt: startOf(child.pid) })
    return child.pid
  } finally {
    closeSync(log)
  }
}

/** The id of the process, if it is still the one that was started. */
export function pidOf(folder, name) {
  const noted = book(folder)[name]
  return noted !== undefined && isSame(noted) ? noted.pid : null
}

export function namesOf(folder) {
  return Object.keys(book(folder))
}

/** Ends it, and what it started if `withChildren`. */
export async function endProcess(folder, name, { signal = 'SIGTERM', withChildren = false, longestMs = 15_000 } = {}) {
  const pid = pidOf(folder, name)
  if (pid === null) return
  const pids = withChildren ? [pid, ...descendantsOf(pid)] : [pid]
  for (const each of pids) send(each, signal)
  const deadline = Date.now() + longestMs
  while (pidOf(folder, name) !== null) {
    if (Date.now() > deadline) send(pid, 'SIGKILL')
    await pause(50)
  }
}

/** A process of this folder and all that come of it, as they are now. */
export function descendantsOf(pid) {
  const parents = new Map()
  for (const each of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = statOf(each)?.[1]
    if (parent !== undefined) parents.set(Number(each), Number(parent))
  }
  const found = []
  const look = (above) => {
    for (const [child, parent] of parents) {
      if (parent !== above) continue
      found.push(child)
      look(child)
    }
  }
  look(pid)
  return found
}

export function send(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

const bookOf = (folder) => join(folder, 'processes.json')

function book(folder) {
  return existsSync(bookOf(folder)) ? JSON.parse(readFileSync(bookOf(folder), 'utf8')) : {}
}

function note(folder, name, entry) {
  const next = `${bookOf(folder)}.new`
  writeFileSync(next, JSON.stringify({ ...book(folder), [name]: entry }))
  renameSync(next, bookOf(folder))
}

/** A number may have been given to somebody else since. */
function isSame({ pid, startedAt }) {
  const stat = statOf(pid)
  return stat !== null && stat[0] !== 'Z' && startOf(pid) === startedAt
}

const startOf = (pid) => statOf(pid)?.[19] ?? null

/** The fields of /proc/PID/stat from the third on: the second is a name that may hold anything. */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}
