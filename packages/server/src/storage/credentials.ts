// Keys and sessions by their hashes, whichever of the two a hash is of.
import { type Db, statement } from './sql.ts'

const VALID = statement(
  'valid_credentials',
  `select key_hash as hash from api_keys
    where key_hash = any($1) and revoked_at is null and (expires_at is null or expires_at > $2)
   union all
   select token_hash from sessions where token_hash = any($1) and expires_at > $2 and last_seen_at > $3`,
)

/** Those of the hashes whose key or session still works. */
export async function findValidCredentials(
  db: Db,
  hashes: readonly Buffer[],
  { at, seenSince }: { at: Date; seenSince: Date },
): Promise<Buffer[]> {
  return (await db.query<{ hash: Buffer }>(VALID, [hashes, at, seenSince])).map(({ hash }) => hash)
}
