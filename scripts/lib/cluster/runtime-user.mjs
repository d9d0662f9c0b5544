// PostgreSQL does not run as root: where we are, what belongs to the cluster runs as somebody who owns nothing else.
import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { ExpectedFailure } from '../expected-failure.mjs'

const PREFERRED = ['postgres', 'nobody']

/** `ids` goes into the options of spawn; it is empty where we run as ourselves. */
export function runtimeUser() {
  if (process.getuid?.() !== 0) return { name: userInfo().username, ids: {} }
  const lines = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  for (const wanted of PREFERRED) {
    const found = lines.find(([name]) => name === wanted)
    if (found !== undefined) return { name: wanted, ids: { uid: Number(found[2]), gid: Number(found[3]) } }
  }
  throw new ExpectedFailure('PostgreSQL does not run as root, and there is no user postgres or nobody to run it as.')
}
