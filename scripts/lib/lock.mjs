import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive, processIdentity } from './process-alive.mjs'

// Between making the directory and writing its owner a lock has no owner yet.
const OWNERLESS_GRACE_MS = 5_000

/**
 * Takes the lock directory, waiting while a living process holds it. `onWait` is called once
 * with the holder's pid. The result can name a child as a second holder: a child that outlives
 * us (kill -9) is still at work, so the lock must outlive us too.
 */
export async function takeLock(path, onWait) {
  mkdirSync(dirname(path), { recursive: true })
  for (let told = false; !tryToTake(path); await sleep(100)) {
    const holder = livingHolder(path)
    if (holder === null) {
      discard(path)
    } else if (!told) {
      told = true
      onWait(holder)
    }
  }
  const me = [describe(process.pid)]
  writeOwners(path, me)
  return {
    addChild: (pid) => writeOwners(path, [...me, describe(pid)]),
    release: () => rmSync(path, { recursive: true, force: true }),
  }
}

function describe(pid) {
  return { pid, identity: processIdentity(pid) }
}

function tryToTake(path) {
  try {
    mkdirSync(path)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  }
}

function writeOwners(path, owners) {
  const next = join(path, `owners.${process.pid}`)
  writeFileSync(next, JSON.stringify(owners))
  renameSync(next, join(path, 'owners.json'))
}

/** The pid of a living holder, 0 when it has not been written yet, or null for a stale lock. */
function livingHolder(path) {
  try {
    const owners = JSON.parse(readFileSync(join(path, 'owners.json'), 'utf8'))
    // Our own pid in there is from an earlier life: a restarted container, for example.
    return owners.find((owner) => owner.pid !== process.pid && isAlive(owner))?.pid ?? null
  } catch {
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    return age < OWNERLESS_GRACE_MS ? 0 : null
  }
}

/** Renaming first means that of two processes discarding at once only one succeeds. */
function discard(path) {
  const aside = `${path}.stale-${process.pid}`
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  // Someone may have replaced the stale lock since we looked: then give it back.
  if (livingHolder(aside) !== null) renameSync(aside, path)
  else rmSync(aside, { recursive: true, force: true })
}
