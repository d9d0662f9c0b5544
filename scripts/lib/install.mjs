import { constants } from 'node:os'
import { join } from 'node:path'
import { ExpectedFailure } from './expected-failure.mjs'
import { removeStamp, stampSays, writeStamp } from './install-stamp.mjs'
import { takeLock } from './lock.mjs'
import { installedPackages, lockfileIsCurrent, nodeModulesAgree } from './lockfile-agreement.mjs'
import { runNpm } from './npm.mjs'
import { DIST } from './paths.mjs'
import { showPending, stepLine, wantsColour } from './step-line.mjs'

// Not inside node_modules, which `npm ci` empties; dist is ignored by git.
const LOCK = join(DIST, '.install-lock')

// Explicit, because NODE_ENV=production or a user's .npmrc would otherwise change what we get.
const ARGUMENTS = {
  runtime: ['ci', '--omit=dev', '--include=optional'],
  full: ['ci', '--include=dev', '--include=optional'],
}

/**
 * Makes node_modules fit package-lock.json. `kind` is what the caller needs: 'runtime' to run
 * Kestrel, 'full' to test it as well. Prints to `stream`, and only when it had to install.
 */
export async function ensureInstalled(kind, stream) {
  if (isInstalled(kind)) return
  if (!lockfileIsCurrent()) {
    throw new ExpectedFailure('package.json and package-lock.json disagree. Run `npm install`, then try again.')
  }
  const lock = await takeLock(LOCK, (pid) => {
    stream.write(`  … waiting for another install${pid ? ` (process ${pid})` : ''}\n`)
  })
  try {
    if (!isInstalled(kind)) await install(kind, stream, lock)
  } finally {
    lock.release()
  }
}

function isInstalled(kind) {
  if (stampSays(kind)) return true
  if (!lockfileIsCurrent() || !nodeModulesAgree(kind)) return false
  writeStamp(kind)
  return true
}

async function install(needed, stream, lock) {
  const startedAt = performance.now()
  const before = Object.values(installedPackages() ?? {})
  // Somebody who had the test tools keeps them, even when it is `npm start` that updates.
  const kind = before.some((entry) => entry.dev === true) ? 'full' : needed
  const clearPending = showPending(stream, 'Dependencies', 'installing, this can take a minute')
  removeStamp()
  const args = [...ARGUMENTS[kind], '--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
  const { ok, signalled, output } = await runNpm(args, (pid) => lock.addChild(pid))
  clearPending()
  if (signalled !== null) {
    lock.release()
    process.exit(128 + constants.signals[signalled])
  }
  if (!ok) throw new ExpectedFailure(`${output.trimEnd()}\n\n${adviceFor(output)}`)
  writeStamp(kind)
  const count = Object.values(installedPackages() ?? {}).filter(isDownloaded).length
  const step = { label: 'Dependencies', detail: `${count} packages` }
  const ms = performance.now() - startedAt
  stream.write(`${stepLine({ ...step, ms }, wantsColour(stream))}\n`)
}

function isDownloaded(entry) {
  return entry.link !== true && entry.integrity !== undefined
}

function adviceFor(output) {
  if (/EACCES|EPERM|EROFS/.test(output)) {
    return 'npm may not write to node_modules here. Check who owns the folder, then try again.'
  }
  if (/ENOSPC/.test(output)) return 'The disk is full. Make some room, then try again.'
  if (/ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|network/.test(output)) {
    return 'npm could not reach its registry. Check the network or proxy, then try again.'
  }
  return 'npm could not install the dependencies: see above.'
}
