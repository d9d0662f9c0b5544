// The PostgreSQL of the bench: our embedded one with its shipped settings, in a folder of its own, on a port below the
// range from which the kernel takes those of connections.
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'

const PORT = 26_498

export async function startPostgres(kestrel) {
  const home = await mkdtemp(join(tmpdir(), 'kestrel-bench-'))
  await chmod(home, 0o755)
  const postgres = await kestrel.startEmbeddedPostgres({
    dataDir: home,
    password: 'only-for-the-bench',
    database: 'bench',
    preferredPort: PORT,
    // Several services beside each other, and the 64 clients of pgbench.
    settings: { shared_preload_libraries: '', max_connections: '400' },
  })
  const pid = Number((await readFile(join(postgres.clusterDir, 'postmaster.pid'), 'utf8')).split('\n')[0])
  const urlOf = (database) => Object.assign(new URL(postgres.url), { pathname: `/${database}` }).href
  const owners = keptOwners(urlOf)
  return {
    home,
    pid,
    urlOf,
    version: postgres.version,
    createDatabase: (name) => owners.query('bench', `create database ${name}`),
    query: owners.query,
    stop: async () => {
      await owners.close()
      await postgres.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/**
 * One connection per database, kept: to make one costs PostgreSQL as much as a dozen payouts, and whoever asks whether all have come to
 * their end asks often, while it is measured what they cost.
 */
function keptOwners(urlOf) {
  const kept = new Map()
  const connectedTo = async (database) => {
    const client = new pg.Client({ connectionString: urlOf(database) })
    const forget = () => kept.delete(database)
    // Whoever asks next gets the error; unheard it would end the bench.
    client.on('error', forget)
    // What was never there is nothing to close at the end, nor to ask again.
    await client.connect().catch((error) => {
      forget()
      throw error
    })
    return client
  }
  return {
    query: async (database, text, values) => {
      const client = kept.get(database) ?? connectedTo(database)
      kept.set(database, client)
      return (await (await client).query(text, values)).rows
    },
    close: async () => {
      for (const client of kept.values()) await (await client).end()
    },
  }
}
