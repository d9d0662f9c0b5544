// The database that the service runs on: the one it is given, or one of its own.
import type { Config } from '../config/config.ts'
import type { Secrets } from '../config/secrets.ts'
import { startEmbeddedPostgres } from '../embedded/index.ts'

export const EMBEDDED_DATABASE = 'kestrel'

export interface OpenedDatabase {
  readonly url: string
  readonly label: string
  readonly detail: string
  readonly notes: readonly string[]
  readonly stop: () => Promise<void>
}

export async function openOrStartDatabase(
  config: Config,
  secrets: Secrets,
  shownPath: (path: string) => string,
): Promise<OpenedDatabase> {
  if (config.databaseUrl !== null) {
    const { hostname, port, pathname } = new URL(config.databaseUrl)
    const place = `${hostname || 'local socket'}${port === '' ? '' : `:${port}`}${pathname}`
    const stop = () => Promise.resolve()
    return { url: config.databaseUrl, label: 'PostgreSQL', detail: `DATABASE_URL, ${place}`, notes: [], stop }
  }
  const postgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    password: secrets.databasePassword,
    database: EMBEDDED_DATABASE,
  })
  return {
    url: postgres.url,
    label: `PostgreSQL ${postgres.version}`,
    detail: `embedded, ${shownPath(postgres.clusterDir)}, port ${postgres.port}`,
    notes: postgres.notes,
    stop: () => postgres.stop(),
  }
}
