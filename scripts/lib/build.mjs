import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { buildInputs, fingerprintOfContents, fingerprintOfTimes } from './build-inputs.mjs'
import { takeLock } from './lock.mjs'
import { BUNDLE, DIST, ENTRY } from './paths.mjs'
import { stepLine, wantsColour } from './step-line.mjs'

const STAMP = join(DIST, '.build.json')
const LOCK = join(DIST, '.build-lock')
const DAY_MS = 24 * 60 * 60 * 1000

/** Whether dist holds a complete build of the source as it is now. Takes a few milliseconds. */
export function isBuilt() {
  // An image may ship dist without the source it came from.
  if (!existsSync(ENTRY)) return existsSync(BUNDLE)
  const stamp = readStamp()
  if (stamp === null || !stamp.outputs.every((name) => existsSync(join(DIST, name)))) return false
  const inputs = buildInputs()
  const times = fingerprintOfTimes(inputs)
  if (stamp.times === times) return true
  if (stamp.contents !== fingerprintOfContents(inputs)) return false
  rememberTimes({ ...stamp, times })
  return true
}

/** Builds when needed, one build at a time, and says so on `stream`. */
export async function ensureBuilt(stream) {
  if (isBuilt()) return
  const lock = await takeLock(LOCK, () => {})
  try {
    if (!isBuilt()) await build(stream)
  } finally {
    lock.release()
  }
}

/**
 * A kill -9 at any point leaves either the old build or the new one: chunks are named after
 * their content and come first, each file appears whole through a rename, and the entry that
 * refers to them is replaced last. Old chunks stay for a day because a server that is still
 * running may yet load them.
 */
async function build(stream) {
  const startedAt = performance.now()
  const inputs = buildInputs()
  // Taken before reading the source: an edit during the build makes the result stale, as it is.
  const fingerprints = {
    times: fingerprintOfTimes(inputs),
    contents: fingerprintOfContents(inputs),
  }
  const { bundle } = await import('./bundle.mjs')
  const files = await bundle()
  // From here on dist is neither the old build nor the new one until the stamp is back.
  rmSync(STAMP, { force: true })
  for (const { path, contents } of files) writeWhole(path, contents)
  const outputs = files.map(({ path }) => basename(path))
  writeWhole(STAMP, JSON.stringify({ ...fingerprints, outputs }))
  removeLeftovers(outputs)
  const step = { label: 'Build', detail: 'packages/server/dist' }
  const ms = performance.now() - startedAt
  stream.write(`${stepLine({ ...step, ms }, wantsColour(stream))}\n`)
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'))
  } catch {
    return null
  }
}

function rememberTimes(stamp) {
  try {
    writeWhole(STAMP, JSON.stringify(stamp))
  } catch {
    // A read-only checkout only means comparing the contents again next time.
  }
}

function writeWhole(path, contents) {
  const next = `${path}.${process.pid}.new`
  writeFileSync(next, contents)
  renameSync(next, path)
}

function removeLeftovers(outputs) {
  for (const name of readdirSync(DIST)) {
    if (name.startsWith('.') || outputs.includes(name)) continue
    const path = join(DIST, name)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat !== undefined && Date.now() - stat.mtimeMs > DAY_MS) rmSync(path, { recursive: true, force: true })
  }
}
