import type { RailName } from '../core/rail-name.ts'
import { type Db, type Tx, statement } from './sql.ts'

const KEEP = statement(
  'keep_rate',
  `insert into rates (rail, gbp_per_usd, read_at) values ($1, $2, $3)
   on conflict (rail) do update set gbp_per_usd = excluded.gbp_per_usd, read_at = excluded.read_at
    where rates.read_at < excluded.read_at`,
)

export function keepRate(tx: Tx, rail: RailName, gbpPerUsd: string, at: Date): void {
  tx.defer(KEEP, [rail, gbpPerUsd, at])
}

const READ = statement('read_rate', 'select gbp_per_usd as "gbpPerUsd", read_at as "readAt" from rates where rail = $1')

export async function readLastRate(db: Db, rail: RailName): Promise<{ gbpPerUsd: string; readAt: Date } | null> {
  return (await db.query<{ gbpPerUsd: string; readAt: Date }>(READ, [rail]))[0] ?? null
}
