// Where the database of a run lies: in memory where there is room, since a disk is asked to make and forget a million files.
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux keeps what is in it in memory; other systems have no such folder. */
const IN_MEMORY = '/dev/shm'

/** The databases of two workers take a few hundred megabytes, and a container may have as little as 64 for all. */
const ENOUGH_BYTES = 3e9

const NAME = 'kestrel-test-'

/** A new folder that this process is to remove. What runs that were killed have left in memory is removed now. */
export function makeDataFolder(): string {
  const home = hasRoom(IN_MEMORY) ? IN_MEMORY : tmpdir()
  if (home === IN_MEMORY) removeForgotten(home)
  const folder = mkdtempSync(join(home, `${NAME}${process.pid}-`))
  // Open to the user that PostgreSQL runs as when the tests run as root.
  chmodSync(folder, 0o755)
  return folder
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > ENOUGH_BYTES
  } catch {
    return false
  }
}

/** A PostgreSQL that still runs in one of them notices within a minute that its files are gone, and ends. */
function removeForgotten(home: string): void {
  for (const name of readdirSync(home)) {
    const pid = new RegExp(`^${NAME}(\\d+)-`).exec(name)?.[1]
    if (pid === undefined || isRunning(Number(pid))) continue
    try {
      rmSync(join(home, name), { recursive: true, force: true })
    } catch {
      // Somebody else's.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
