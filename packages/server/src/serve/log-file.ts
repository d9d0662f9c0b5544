// `kestrel serve` talks to a person, so its log goes to a file beside the data. It rotates while the service runs: only
// the file and the one before it are kept.
import { mkdirSync, openSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { openLogWriter } from './log-writer.ts'

const LARGEST_BYTES = 50 * 1024 * 1024

export function openLogFile(dataDir: string, name = 'kestrel.log', largestBytes = LARGEST_BYTES) {
  const path = join(dataDir, name)
  let size = 0
  const open = () => {
    mkdirSync(dataDir, { recursive: true })
    const fd = openSync(path, 'a', 0o600)
    size = statSync(path).size
    return fd
  }
  // What is still in memory goes to the new file; nothing is lost and nothing waits.
  const isDone = (bytes: number) => {
    size += bytes
    return size >= largestBytes && turn(path)
  }
  return { path, destination: openLogWriter({ open, isDone }) }
}

/** A file that cannot be renamed goes on growing: a log that is too long is better than none. */
function turn(path: string): boolean {
  try {
    renameSync(path, `${path}.1`)
    return true
  } catch {
    return false
  }
}
