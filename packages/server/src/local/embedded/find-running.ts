import { answersFor, type Login } from './adopt.ts'
import { urlFor } from './ask.ts'
import { existingCluster } from './placement.ts'
import { findPostmaster } from './postmaster.ts'
import { type RoleUrls, roleUrls } from './roles.ts'

/**
 * The embedded PostgreSQL of a running server, for the command line beside it. Null when none
 * runs. Changes nothing and starts nothing.
 */
export async function findRunningPostgres(
  options: Login & { readonly dataDir: string },
): Promise<({ url: string; port: number } & RoleUrls) | null> {
  const { password, database } = options
  const cluster = existingCluster(options.dataDir)
  const found = cluster === null ? null : findPostmaster(cluster)
  if (cluster === null || found?.state !== 'ready') return null
  if (!(await answersFor(cluster, found, { password, database }))) return null
  const access = { port: found.port, password, database }
  return { url: urlFor(access), ...roleUrls(access), port: found.port }
}
