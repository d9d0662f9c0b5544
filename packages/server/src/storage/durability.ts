// Whether what the database acknowledges is there after a power cut, and after a failover. Read over a session of the service's
// own: a pooler may have dropped what it asks for.
import { type Db, statement } from './sql.ts'

export interface Durability {
  readonly fsync: string
  readonly fullPageWrites: string
  readonly synchronousCommit: string
  readonly checksums: string
  /** Empty: no standby is waited for. */
  readonly synchronousStandbyNames: string
  /** Servers that follow this one; backups do not count. */
  readonly standbys: number
}

const DURABILITY = statement(
  'database_durability',
  `select current_setting('fsync') as fsync, current_setting('full_page_writes') as "fullPageWrites",
          current_setting('synchronous_commit') as "synchronousCommit", current_setting('data_checksums') as checksums,
          current_setting('synchronous_standby_names') as "synchronousStandbyNames",
          (select count(*)::int from pg_stat_get_wal_senders() w join pg_stat_get_activity(null) a on a.pid = w.pid
            where a.application_name not in ('pg_basebackup', 'pg_receivewal')) as standbys`,
)

export async function readDurability(db: Db): Promise<Durability> {
  return (await db.query<Durability>(DURABILITY))[0]!
}

/** Waits until the write-ahead log is on the disk, here and, where standbys are waited for, there. */
const KEEPS = new Set(['on', 'remote_apply'])

/** The settings by which an acknowledged payout can be lost, by their names; none when it cannot. */
export function losingSettings({ fsync, fullPageWrites, synchronousCommit }: Durability): string[] {
  return [
    ...(fsync === 'on' ? [] : ['fsync']),
    ...(fullPageWrites === 'on' ? [] : ['full_page_writes']),
    ...(KEEPS.has(synchronousCommit) ? [] : ['synchronous_commit']),
  ]
}
