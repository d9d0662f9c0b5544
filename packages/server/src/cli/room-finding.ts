// Room on the disk of the data directory, where the embedded database and the log are. A database without room answers every
// question and takes no write.
import { type Finding, problem, warning, well } from './finding.ts'

const MEGABYTE = 1024n * 1024n
/** PostgreSQL writes its log in files of 16 MB, and needs some of them at once. */
const LEAST = 64n * MEGABYTE
const LITTLE = 512n * MEGABYTE

export function roomFinding(name: string, dataDir: string, freeBytes: bigint): Finding {
  if (freeBytes >= LITTLE) return well(name, dataDir)
  const left = `${dataDir} has ${freeBytes / MEGABYTE} MB left on its disk`
  return freeBytes < LEAST
    ? problem(
        name,
        `${left}: make room. An embedded database takes no payouts without it, and goes on by itself with it.`,
      )
    : warning(name, `${left}: make room before the embedded database and the log have filled it`)
}
