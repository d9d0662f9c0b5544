import { closeSync, constants, fchownSync, openSync, renameSync, writeSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import type { RuntimeUser } from './runtime-user.ts'

// As root we write where an unprivileged user may write too. Opening without following links and
// changing the owner through the open file keeps that user from steering us to other files.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0

/** Writes a file that belongs to `user` and appears whole. */
export function writeOwned(path: string, text: string, user: RuntimeUser | null): void {
  const next = `${path}.${randomBytes(4).toString('hex')}`
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW
  withFile(next, flags, user, (file) => writeSync(file, text))
  renameSync(next, path)
}

/** Makes sure a file exists and that `user` can append to it. */
export function touchOwned(path: string, user: RuntimeUser | null): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | NO_FOLLOW
  withFile(path, flags, user, () => 0)
}

/** Opens such a file for a program that appends to it. The caller closes it. */
export function openOwned(path: string, user: RuntimeUser | null): number {
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | NO_FOLLOW, 0o600)
  if (user !== null) fchownSync(file, user.uid, user.gid)
  return file
}

function withFile(path: string, flags: number, user: RuntimeUser | null, work: (file: number) => number): void {
  const file = openSync(path, flags, 0o600)
  try {
    work(file)
    if (user !== null) fchownSync(file, user.uid, user.gid)
  } finally {
    closeSync(file)
  }
}
