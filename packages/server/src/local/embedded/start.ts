import { adoptPostmaster, wrongPassword, type Login } from './adopt.ts'
import { askMakingDatabase, urlFor, type Access, type Answer } from './ask.ts'
import { ensureCluster } from './cluster.ts'
import { errorCode } from './errors.ts'
import { launch, shutDown, startAgain } from './launch.ts'
import { choosePlacement, type Placement } from './placement.ts'
import { DEFAULT_PORT } from './ports.ts'
import { type RoleUrls, ensureRoles, roleUrls } from './roles.ts'
import { findPostmaster, removeMisleadingPidFile } from './postmaster.ts'
import type { ServerProcess } from './server-process.ts'
import { type SupervisionNews, supervise } from './supervise.ts'

export interface EmbeddedPostgres extends RoleUrls {
  /** As the owner of everything, for migrations. */
  readonly url: string
  readonly port: number
  /** Such as 18.4. */
  readonly version: string
  /**
   * Always true: the server is this process's to stop, whether it was launched here or adopted
   * from an earlier Kestrel that was killed. `isAdopted` tells the two apart.
   */
  readonly startedHere: true
  readonly isAdopted: boolean
  /** Where the data lies: normally <dataDir>/postgres. */
  readonly clusterDir: string
  /** PostgreSQL's own log. */
  readonly logFile: string
  /** What the user should know, such as 'port 5499 is taken; using 5500'. */
  readonly notes: readonly string[]
  /** Stops the server, adopted or not. Calling it again gives the same promise. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions extends Login {
  readonly dataDir: string
  readonly preferredPort?: number
  /** Settings of postgresql.conf that replace ours; tests pass { fsync: 'off' }. */
  readonly settings?: Readonly<Record<string, string>>
  /** Hears when the server's process has begun: it takes a while until it is ready. */
  readonly onSpawned?: () => void
  /** When given, a server that ends is started again, and this hears of it. */
  readonly onNews?: (news: SupervisionNews) => void
}

/**
 * Runs a PostgreSQL of our own in `dataDir`, setting it up the first time. Hold lockDataDir
 * before calling this: two at once on one directory are not expected here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { password, database, settings = {}, preferredPort = DEFAULT_PORT } = options
  const placement = await choosePlacement(options.dataDir)
  await ensureCluster(placement, { password, isDurable: settings['fsync'] !== 'off' })
  const adopted = await adoptPostmaster(placement.cluster, options)
  const launched =
    adopted === null
      ? await launch(placement, preferredPort, settings, options.onSpawned)
      : { ...adopted, process: null }
  const { port } = launched
  const access = { port, password, database }
  const notes = [...placement.notes]
  if (adopted !== null) notes.push(`took over the PostgreSQL left running (pid ${adopted.pid})`)
  else if (port !== preferredPort) notes.push(`port ${preferredPort} is taken; using ${port}`)
  const { version } = await login(placement, access)
  const { onNews } = options
  const { stop } =
    onNews === undefined ? { stop: () => shutDown(placement) } : keepRunning(placement, launched.process, onNews)
  return {
    url: urlFor(access),
    ...roleUrls(access),
    port,
    version,
    startedHere: true,
    isAdopted: adopted !== null,
    clusterDir: placement.cluster,
    logFile: placement.logFile,
    notes,
    stop: once(stop),
  }
}

function keepRunning(
  placement: Placement,
  launched: ServerProcess | null,
  onNews: (news: SupervisionNews) => void,
): { stop(): Promise<void> } {
  const { cluster } = placement
  let process: ServerProcess | null = null
  /** One that has ended is forgotten: what runs in its place may be no child of ours. */
  const mind = (server: ServerProcess | null) => {
    process = server
    void server?.ended.then(() => (process = process === server ? null : process))
  }
  mind(launched)
  return supervise({
    findPid: () => findPostmaster(cluster)?.pid ?? null,
    untilEnded: () => process?.ended ?? null,
    restart: async () => {
      removeMisleadingPidFile(cluster)
      mind(await startAgain(placement))
    },
    shutDown: async () => {
      await shutDown(placement)
      await process?.ended
    },
    onNews,
  })
}

/** A server that we cannot use is not left running. */
async function login(placement: Placement, access: Access): Promise<Answer> {
  try {
    return await askMakingDatabase(access, (client) => ensureRoles(client, access))
  } catch (error) {
    await shutDown(placement)
    throw errorCode(error) === '28P01' ? wrongPassword() : error
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined
  return () => (result ??= work())
}
