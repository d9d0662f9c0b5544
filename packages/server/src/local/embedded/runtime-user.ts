import { readFileSync } from 'node:fs'
import { EmbeddedPostgresError } from './errors.ts'

/** The user that PostgreSQL runs as when we are root: it refuses to run as root. */
export interface RuntimeUser {
  readonly uid: number
  readonly gid: number
  readonly name: string
}

const PREFERRED = ['postgres', 'nobody']

export function weAreRoot(): boolean {
  return process.getuid?.() === 0
}

/** An unprivileged user that exists already; none is ever created. */
export function unprivilegedUser(passwd = readPasswd()): RuntimeUser {
  const users = passwd.split('\n').map(parseLine)
  for (const name of PREFERRED) {
    const user = users.find((candidate) => candidate?.name === name && candidate.uid !== 0)
    if (user) return user
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and there is no user postgres or nobody to run it as; ' +
      'start Kestrel as another user or set DATABASE_URL',
  )
}

/** The name for a uid, for messages. */
export function userName(uid: number): string {
  const user = readPasswd()
    .split('\n')
    .map(parseLine)
    .find((candidate) => candidate?.uid === uid)
  return user?.name ?? `with id ${uid}`
}

function parseLine(line: string): RuntimeUser | null {
  const [name, , uid, gid] = line.split(':')
  if (!name || !uid || !gid || name.startsWith('#')) return null
  // macOS writes nobody's id as -2; the system calls take it unsigned.
  return { name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }
}

function readPasswd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8')
  } catch {
    return ''
  }
}
