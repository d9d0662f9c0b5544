// What could keep the service from running: one finding per cause, with its cure. It only reads: what is missing is
// reported and not created, and an embedded database that is not running stays so.
import { access, constants, stat, statfs } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'

import type { Secrets } from '../config/secrets.ts'
import type { Deps } from '../domain/deps.ts'
import { whyNoStart } from '../domain/secrets/bind-keys.ts'
import { holderOf } from '../local/embedded/index.ts'
import { MIGRATIONS_FOLDER } from '../package-root.ts'
import { wrongThroughPooler } from '../serve/require-settings.ts'
import { readSchemaState, schemaProblem } from '../storage/schema-state.ts'
import type { CommandContext } from './command-context.ts'
import { existingSecrets, runningDatabase, withDepsOn } from './context.ts'
import { databaseFindings } from './database-findings.ts'
import { type Finding, problem, reasonOf, warning, well } from './finding.ts'
import { roomFinding } from './room-finding.ts'

export async function examine(context: CommandContext): Promise<Finding[]> {
  const { config } = context
  return [
    well('Node', `${process.version}, ${process.platform} ${process.arch}`),
    await dataDirFinding(config.dataDir),
    await secretsFinding(context),
    await portFinding(config),
    ...(await findingsBehindDatabase(context)),
  ]
}

async function dataDirFinding(dataDir: string): Promise<Finding> {
  const name = 'Data directory'
  const found = await stat(dataDir).catch(() => null)
  if (found === null) {
    return warning(name, `${dataDir} is not there. A first start makes it; elsewhere, set DATA_DIR to the service’s.`)
  }
  const isWritable = await access(dataDir, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!isWritable) return problem(name, `${dataDir} cannot be written. Set DATA_DIR to one that can.`)
  const { bavail, bsize } = await statfs(dataDir, { bigint: true })
  return roomFinding(name, dataDir, bavail * bsize)
}

async function secretsFinding({ config, env }: CommandContext): Promise<Finding> {
  const name = 'Secrets'
  if ((env['KESTREL_SEAL_KEY'] ?? '') !== '') return well(name, 'from the environment')
  const path = join(config.dataDir, 'secrets.json')
  const found = await stat(path).catch(() => null)
  if (found === null) return warning(name, 'none yet: the first start makes them')
  const isPrivate = process.platform === 'win32' || (found.mode & 0o077) === 0
  return isPrivate ? well(name, path) : problem(name, `${path} can be read by others. Run: chmod 600 ${path}`)
}

async function portFinding({ host, port, dataDir }: CommandContext['config']): Promise<Finding> {
  const name = 'Port'
  if (!(await isTaken(host, port))) return well(name, `${port} is free`)
  const holder = holderOf(dataDir)
  if (holder !== null) return well(name, `${port} is in use, and the service runs as process ${holder}`)
  return warning(name, `${port} is in use: by the service, or a start would take the next one`)
}

function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    const socket = connect({ host, port, timeout: 1_000 })
    const end = (taken: boolean) => {
      socket.destroy()
      resolve(taken)
    }
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false))
  })
}

async function findingsBehindDatabase(context: CommandContext): Promise<Finding[]> {
  const name = 'Database'
  try {
    const secrets = await existingSecrets(context)
    const database = await runningDatabase(context.config, secrets)
    if (database === null) return [notRunning(context.config.dataDir)]
    const state = await readSchemaState({ url: database.ownerUrl, folder: MIGRATIONS_FOLDER })
    const why = schemaProblem(state)
    if (why !== null) return [problem('Schema', why)]
    return [
      well('Schema', 'is this version’s'),
      ...(await poolerFindings(context)),
      ...(await withDepsOn(context, { databaseUrl: database.url, secrets }, async (deps) => [
        await keyFinding(deps, secrets),
        ...(await databaseFindings(deps, context.config)),
      ])),
    ]
  } catch (error) {
    return [problem(name, `${reasonOf(error)} Check DATABASE_URL and DATA_DIR.`)]
  }
}

/** A service that runs has its database running, and starts it again: until it has, nobody is served. */
function notRunning(dataDir: string): Finding {
  const name = 'Database'
  const holder = holderOf(dataDir)
  if (holder === null) {
    return warning(name, 'the embedded one is not running, so nothing more can be told. Start it: npm start')
  }
  const log = join(dataDir, 'kestrel.log')
  return problem(name, `does not answer, although the service runs as process ${holder}: ${log} says more`)
}

async function keyFinding({ reports }: Deps, given: Secrets): Promise<Finding> {
  const why = await reports.inTransaction((tx) => whyNoStart(tx, given))
  return why === null ? well('Keys', 'are those that the database needs') : problem('Keys', why)
}

/** Commands go past the pooler: what the service has through it is looked at by itself. */
async function poolerFindings({ config }: CommandContext): Promise<Finding[]> {
  const { databaseUrl: url, sessionDatabaseUrl: sessionUrl } = config
  if (url === null || sessionUrl === null) return []
  const name = 'Pooler'
  try {
    const wrong = await wrongThroughPooler({ url, sessionUrl })
    if (wrong.length === 0) return [well(name, 'its sessions are set as the service needs them')]
    const cure = 'set them for the role, and let the pooler connect anew (docs/operations.md)'
    return [problem(name, `its sessions are not set as the service needs them: ${wrong.join(', ')}; ${cure}`)]
  } catch (error) {
    return [problem(name, `${reasonOf(error)} Check DATABASE_URL.`)]
  }
}
