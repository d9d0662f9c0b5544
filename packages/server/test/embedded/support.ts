import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/local/embedded/index.ts'

export const PASSWORD = `it's "a" pass/word`

/** Everyone may enter it, as with a usual checkout: as root, PostgreSQL runs as somebody else. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kestrel-embedded-'))
  chmodSync(folder, 0o755)
  return folder
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** Starts with flushing to the disk turned off, which only makes the tests quicker. */
export async function start(dataDir: string, preferredPort: number, password = PASSWORD): Promise<EmbeddedPostgres> {
  const settings = { fsync: 'off' }
  return await startEmbeddedPostgres({
    dataDir,
    password,
    database: 'kestrel',
    preferredPort,
    settings,
  })
}

export async function query(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql, values)).rows
  } finally {
    await client.end()
  }
}
