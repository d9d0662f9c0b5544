// What a build was made from, kept beside it, so that the next start knows whether it is still the build of the source.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fingerprintOfContents, fingerprintOfTimes } from './build-inputs.mjs'

/** To be taken before the source is read: an edit during the build makes the result stale, as it is. */
export function fingerprintsOf(inputs) {
  return { times: fingerprintOfTimes(inputs), contents: fingerprintOfContents(inputs) }
}

/** Null when there is none that can be read. */
export function readStamp(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

/** Whether the inputs are those of the stamp. Times are compared first, and remembered when only they differ. */
export function isOf(path, stamp, inputs) {
  const times = fingerprintOfTimes(inputs)
  if (stamp.times === times) return true
  if (stamp.contents !== fingerprintOfContents(inputs)) return false
  try {
    writeWhole(path, JSON.stringify({ ...stamp, times }))
  } catch {
    // A read-only checkout only means comparing the contents again next time.
  }
  return true
}

export function writeWhole(path, contents) {
  const next = `${path}.${process.pid}.new`
  writeFileSync(next, contents)
  renameSync(next, path)
}
