// `kestrel serve` talks to a person, so its log goes to a file beside the data. It rotates while the service runs: only
// the file and the one before it are kept.
import { renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { pino } from 'pino'

const LARGEST_BYTES = 50 * 1024 * 1024

export function openLogFile(dataDir: string, name = 'kestrel.log', largestBytes = LARGEST_BYTES) {
  const path = join(dataDir, name)
  const destination = pino.destination({ dest: path, mkdir: true, sync: false, mode: 0o600 })
  // A log that cannot be written is no reason to stop paying people.
  destination.on('error', () => undefined)
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  // What is still in memory goes to the new file; nothing is lost and nothing waits.
  destination.on('write', (bytes: number) => {
    size += bytes
    if (size < largestBytes) return
    size = 0
    turn(path, () => destination.reopen())
  })
  return { path, destination }
}

/** A file that cannot be renamed goes on growing: a log that is too long is better than none. */
function turn(path: string, reopen: () => void): void {
  try {
    renameSync(path, `${path}.1`)
    reopen()
  } catch {
    return
  }
}
