// Files that only their owner can read, in one folder: keys, places and secrets of this machine.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

import { misuse } from './failure.ts'
import type { Surroundings } from './surroundings.ts'

export function folderOf({ env, home }: Pick<Surroundings, 'env' | 'home'>): string {
  if (env['KESTREL_CONFIG_DIR']) return env['KESTREL_CONFIG_DIR']
  return join(env['XDG_CONFIG_HOME'] || env['APPDATA'] || join(home, '.config'), 'kestrel-pay')
}

/** The text, or null if there is no such file. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** What is kept there as JSON, or null if there is no such file. One that somebody has changed or cut is not guessed at. */
export function readKept<Kept extends object>(
  path: string,
  isWhole: (kept: object) => kept is Kept,
  whatToDo: string,
): Kept | null {
  const text = readIfThere(path)
  if (text === null) return null
  try {
    const kept: unknown = JSON.parse(text)
    if (typeof kept === 'object' && kept !== null && isWhole(kept)) return kept
  } catch {
    // It is told as any other that is not whole.
  }
  throw misuse(`${path} is not as this program wrote it.`, whatToDo)
}

/** As a whole or not at all, also when the machine stops in the middle. */
export function writePrivately(path: string, text: string): void {
  const beside = writeBeside(path, text)
  renameSync(beside, path)
  keepName(path)
}

/** Whether it was made: it may be there already, by another process just now. Whoever finds it finds all of it. */
export function makePrivately(path: string, text: string): boolean {
  const beside = writeBeside(path, text)
  try {
    linkSync(beside, path)
    keepName(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(beside, { force: true })
  }
}

/** That the file has this name is written in its folder, and that there is such a folder in the one above. */
function keepName(path: string): void {
  for (const folder of [dirname(path), dirname(dirname(path)), dirname(dirname(dirname(path)))]) {
    try {
      const opened = openSync(folder, 'r')
      try {
        fsyncSync(opened)
      } finally {
        closeSync(opened)
      }
    } catch {
      // Not every system opens folders, and not every folder above is ours to open.
    }
  }
}

function writeBeside(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const beside = `${path}.${randomBytes(6).toString('hex')}.new`
  const file = openSync(beside, 'wx', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return beside
}

export function removeFile(path: string): void {
  rmSync(path, { force: true })
}
