import { readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { buildInputs } from './build-inputs.mjs'
import { fingerprintsOf, writeWhole } from './build-stamp.mjs'
import { STAMP, isBuilt } from './is-built.mjs'
import { takeLock } from './lock.mjs'
import { DIST } from './paths.mjs'
import { stepLine, wantsColour } from './step-line.mjs'

const LOCK = join(DIST, '.build-lock')
const DAY_MS = 24 * 60 * 60 * 1000

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
  const fingerprints = fingerprintsOf(buildInputs())
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

function removeLeftovers(outputs) {
  for (const name of readdirSync(DIST)) {
    if (name.startsWith('.') || outputs.includes(name)) continue
    const path = join(DIST, name)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat !== undefined && Date.now() - stat.mtimeMs > DAY_MS) rmSync(path, { recursive: true, force: true })
  }
}
