// `kestrel serve` talks to a person, so its log goes to a file beside the data.
import { renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { pino } from 'pino'

const LARGEST_BYTES = 50 * 1024 * 1024

export function openLogFile(dataDir: string) {
  const path = join(dataDir, 'kestrel.log')
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > LARGEST_BYTES) renameSync(path, `${path}.1`)
  return { path, destination: pino.destination({ dest: path, mkdir: true, sync: false, mode: 0o600 }) }
}
