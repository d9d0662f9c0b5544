// `npm start`: everything in one process, with a welcome that a newcomer can follow.
import type { Config } from '../config/config.ts'
import { isLocalDatabase } from '../config/config.ts'
import type { Env } from '../config/env.ts'
import { readSecrets } from '../config/secrets.ts'
import { type SupervisionNews, lockDataDirPatiently } from '../local/embedded/index.ts'
import { beginBank } from './open-bank.ts'
import { openOrStartDatabase } from './open-database.ts'
import type { Life } from './shutdown.ts'
import { shortPath } from './steps.ts'

/** PostgreSQL and the bank are other processes: they begin before the program is read, and not after. */
export async function serve(config: Config, env: Env, life: Life): Promise<void> {
  const { closeFirst, sayFirst } = life
  const lock = await lockDataDirPatiently(config.dataDir)
  // The next start then waits for this one to finish instead of giving up.
  sayFirst('announcement', () => lock.announceStop())
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
  life.ending.throwIfAborted()
  const bank = beginBank(config, secrets)
  closeFirst('sandbox bank', bank.close)
  const { startService } = await import('./start-service.ts')
  const begun = { config, env, secrets, database, bank, onNews: (hears: typeof tell) => (tell = hears) }
  const greet = await startService(begun, life)
  life.ending.throwIfAborted()
  greet()
}
