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
  return {
    home,
    pid,
    urlOf,
    version: postgres.version,
    createDatabase: (name) => asOwner(postgres.url, `create database ${name}`),
    query: (database, text, values) => asOwner(urlOf(database), text, values),
    stop: async () => {
      await postgres.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function asOwner(url, text, values) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}
