// `npm start`: everything in one process, with a welcome that a newcomer can follow.
import type { Config } from '../config/config.ts'
import { isLocalDatabase } from '../config/config.ts'
import type { Env } from '../config/env.ts'
import { readSecrets } from '../config/secrets.ts'
import { type SupervisionNews, lockDataDirPatiently } from '../local/embedded/index.ts'
import { beginBank } from './open-bank.ts'
import { openOrStartDatabase } from './open-database.ts'
import { type Closable, closeAll, onStopSignal } from './shutdown.ts'
import type { Starting } from './start-service.ts'
import { frontDoor, shortPath } from './steps.ts'

export async function serve(config: Config, env: Env): Promise<void> {
  const door = frontDoor()
  // Closed in this order: first what takes work, last what the work depends on.
  const parts: Closable[] = []
  const closeFirst = (name: string, close: () => Promise<void>) => void parts.unshift({ name, close })
  onStopSignal(
    () => parts,
    (problem) => process.stderr.write(`  ${problem}\n`),
  )
  try {
    await start(config, env, { door, closeFirst, parts: () => parts })
  } catch (error) {
    await closeAll(parts, () => undefined)
    throw error
  }
}

/** PostgreSQL and the bank are other processes: they begin before the program is read, and not after. */
async function start(config: Config, env: Env, starting: Starting): Promise<void> {
  const { closeFirst } = starting
  const lock = await lockDataDirPatiently(config.dataDir)
  closeFirst('data directory', async () => lock.release())
  const secrets = await readSecrets(env, {
    dataDir: config.dataDir,
    mayMake: config.databaseUrl === null || isLocalDatabase(config.databaseUrl),
  })
  let tell: (news: SupervisionNews) => void = () => undefined
  let hasSpawned = () => {}
  const spawned = new Promise<void>((resolve) => (hasSpawned = resolve))
  const database = openOrStartDatabase(config, secrets, shortPath, {
    onNews: (news) => tell(news),
    onSpawned: () => hasSpawned(),
  })
  closeFirst('database', async () => (await database).stop())
  await Promise.race([spawned, database])
  const bank = beginBank(config, secrets)
  closeFirst('sandbox bank', bank.close)
  const { startService } = await import('./start-service.ts')
  const begun = { config, env, secrets, database, bank, onNews: (hears: typeof tell) => (tell = hears) }
  const greet = await startService(begun, starting)
  // Said first of all: the next start then waits for this one to finish instead of giving up.
  closeFirst('announcement', async () => lock.announceStop())
  greet()
}
