import { createHash } from 'node:crypto'
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LOCKFILE, NODE_MODULES, ROOT, workspaceNames } from './paths.mjs'

const STAMP = join(NODE_MODULES, '.kestrel-install.json')

/** Whether our own note in node_modules says that this very install was done, completely. */
export function stampSays(kind) {
  try {
    const stamp = JSON.parse(readFileSync(STAMP, 'utf8'))
    return (stamp.kind === kind || stamp.kind === 'full') && stamp.inputs === currentInputs()
  } catch {
    return false
  }
}

export function writeStamp(kind) {
  const next = `${STAMP}.${process.pid}`
  try {
    writeFileSync(next, JSON.stringify({ kind, inputs: currentInputs() }))
    renameSync(next, STAMP)
  } catch {
    // A read-only node_modules (an image, say) is fine: the next start compares again.
  }
}

export function removeStamp() {
  rmSync(STAMP, { force: true })
}

function currentInputs() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`)
  const manifests = workspaceNames().map((name) => join(ROOT, 'packages', name, 'package.json'))
  for (const path of [LOCKFILE, join(ROOT, 'package.json'), ...manifests]) {
    hash.update(`${path}\n`).update(readIfThere(path))
  }
  // npm rewrites this file whenever it changes node_modules, so a later `npm prune` or
  // `npm install` by hand makes us look again.
  const { mtimeMs, size } = statSync(join(NODE_MODULES, '.package-lock.json'))
  return hash.update(`${mtimeMs} ${size}`).digest('hex')
}

function readIfThere(path) {
  try {
    return readFileSync(path)
  } catch {
    return ''
  }
}
