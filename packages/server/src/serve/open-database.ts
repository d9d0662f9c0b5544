// The service's database: the configured one, or an embedded one.
import type { Config } from '../config/config.ts'
import type { Secrets } from '../config/secrets.ts'
import type { Logger } from '../logging.ts'
import { type EmbeddedPostgresOptions, type SupervisionNews, startEmbeddedPostgres } from '../local/embedded/index.ts'

export const EMBEDDED_DATABASE = 'kestrel'

export interface OpenedDatabase {
  /** The service's own connection. */
  readonly url: string
  /** The database itself, when the other is a pooler of transactions before it; null: there is none. */
  readonly sessionUrl: string | null
  /** For migrating: as the owner of the tables. */
  readonly ownerUrl: string
  /** The bundled bank's connection. */
  readonly bankUrl: string
  readonly label: string
  readonly detail: string
  readonly notes: readonly string[]
  readonly stop: () => Promise<void>
}

export async function openOrStartDatabase(
  config: Config,
  secrets: Secrets,
  shownPath: (path: string) => string,
  hooks: Pick<EmbeddedPostgresOptions, 'onNews' | 'onSpawned'> = {},
): Promise<OpenedDatabase> {
  if (config.databaseUrl !== null) {
    const { hostname, port, pathname } = new URL(config.databaseUrl)
    const place = `${hostname || 'local socket'}${port === '' ? '' : `:${port}`}${pathname}`
    const stop = () => Promise.resolve()
    const url = config.databaseUrl
    const sessionUrl = config.sessionDatabaseUrl
    const ownerUrl = config.migrateDatabaseUrl ?? sessionUrl ?? url
    const shown = { label: 'PostgreSQL', detail: `DATABASE_URL, ${place}`, notes: [] }
    return { url, sessionUrl, ownerUrl, bankUrl: ownerUrl, ...shown, stop }
  }
  const postgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    password: secrets.databasePassword,
    database: EMBEDDED_DATABASE,
    ...hooks,
  })
  return {
    url: postgres.serviceUrl,
    sessionUrl: null,
    ownerUrl: postgres.url,
    bankUrl: postgres.bankUrl,
    label: `PostgreSQL ${postgres.version}`,
    detail: `embedded, ${shownPath(postgres.clusterDir)}, port ${postgres.port}`,
    notes: postgres.notes,
    stop: () => postgres.stop(),
  }
}

/** Logs what happened to an embedded server that ended. */
export function tellOfDatabase(log: Logger): (news: SupervisionNews) => void {
  return (news) => {
    if (news.kind === 'gone') log.error('the embedded PostgreSQL has ended; it is started again')
    else if (news.kind === 'back') log.warn({ attempts: news.attempts }, 'the embedded PostgreSQL is back')
    else log.error({ err: news.error, nextInMs: news.nextInMs }, 'the embedded PostgreSQL could not be started again')
  }
}
