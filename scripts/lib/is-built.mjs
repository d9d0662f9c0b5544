// Asked at every start and every command, so it loads as little as it can.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildInputs } from './build-inputs.mjs'
import { isOf, readStamp } from './build-stamp.mjs'
import { BUNDLE, DIST, ENTRY } from './paths.mjs'

export const STAMP = join(DIST, '.build.json')

/** Whether dist holds a complete build of the source as it is now. Takes a few milliseconds. */
export function isBuilt() {
  // An image may ship dist without the source it came from.
  if (!existsSync(ENTRY)) return existsSync(BUNDLE)
  const stamp = readStamp(STAMP)
  if (stamp === null || !stamp.outputs.every((name) => existsSync(join(DIST, name)))) return false
  return isOf(STAMP, stamp, buildInputs())
}
