// A PostgreSQL that somebody else has started for the tests, such as one of another version (`npm run versions`).
import { askMakingDatabase, urlFor } from '../../src/local/embedded/ask.ts'
import { ensureRoles, roleUrls } from '../../src/local/embedded/roles.ts'

interface Joined {
  /** As the owner of everything. */
  readonly url: string
  readonly serviceUrl: string
}

/** `address` is that of its superuser, which is named as the embedded one's is. */
export async function joinPostgres(address: string, database: string): Promise<Joined> {
  const { port, password } = new URL(address)
  const access = { port: Number(port), password: decodeURIComponent(password), database }
  await askMakingDatabase(access, (client) => ensureRoles(client, access))
  return { url: urlFor(access), serviceUrl: roleUrls(access).serviceUrl }
}
