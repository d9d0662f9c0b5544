// The browsers in which a person has signed in before.
import { type Db, type Tx, statement } from './sql.ts'

/** A person, in a browser. */
export interface PersonInBrowser {
  readonly email: string
  readonly browserHash: Buffer
}

const KNOWN = statement(
  'is_known_browser',
  'select 1 as known from known_browsers where email = $1 and browser_hash = $2',
)

export async function isKnownBrowser(db: Db, { email, browserHash }: PersonInBrowser): Promise<boolean> {
  return (await db.query(KNOWN, [email, browserHash])).length === 1
}

const REMEMBER = statement(
  'remember_browser',
  `insert into known_browsers (email, browser_hash, created_at, last_used_at) values ($1, $2, $3, $3)
   on conflict (email, browser_hash) do update set last_used_at = excluded.last_used_at`,
)

export function rememberBrowser(tx: Tx, { email, browserHash }: PersonInBrowser, at: Date): void {
  tx.defer(REMEMBER, [email, browserHash, at])
}

const TIDY = statement('tidy_known_browsers', 'delete from known_browsers where last_used_at < $1')

export function tidyKnownBrowsers(tx: Tx, usedBefore: Date): void {
  tx.defer(TIDY, [usedBefore])
}
