// Stands in for `kestrel serve`: holds the data directory, runs PostgreSQL, and on a signal first
// finishes its work, for which it needs the database, and then stops it.
import { setTimeout as sleep } from 'node:timers/promises'
import { lockDataDir } from '../../src/local/embedded/index.ts'
import { query, start } from './support.ts'

const [dataDir = '', port = ''] = process.argv.slice(2)

const lock = lockDataDir(dataDir)
const postgres = await start(dataDir, Number(port))

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function shutDown(): Promise<void> {
  await sleep(200)
  const rows = await query(postgres.url, 'SELECT 1 AS one')
  say(`drained ${rows.length}`)
  await postgres.stop()
  lock.release()
  say('stopped')
  process.exit(0)
}

process.once('SIGINT', () => void shutDown())
say(`ready ${process.getuid?.()} ${postgres.clusterDir} ${postgres.notes.join()}`)
setInterval(() => undefined, 1000)
