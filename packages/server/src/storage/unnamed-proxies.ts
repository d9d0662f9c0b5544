// Networks that forward requests for several callers, and that TRUST_PROXY does not name.
import { type Db, type Tx, statement } from './sql.ts'

export interface UnnamedProxy {
  readonly network: string
  readonly requests: bigint
  readonly lastSeenAt: Date
}

/** The most rows that stay: anybody can claim to forward, and the busiest is the one that matters. */
const MOST_KEPT = 20

const NOTE = statement(
  'note_unnamed_proxies',
  `insert into unnamed_proxies as u (network, requests, last_seen_at)
   select network, requests, $3 from unnest($1::text[], $2::bigint[]) as item (network, requests) order by network
   on conflict (network) do update
     set requests = u.requests + excluded.requests, last_seen_at = greatest(u.last_seen_at, excluded.last_seen_at)`,
)
const THIN = statement(
  'thin_unnamed_proxies',
  `delete from unnamed_proxies where last_seen_at < $1 or network not in
     (select network from unnamed_proxies order by requests desc, network limit ${MOST_KEPT})`,
)

/** Adds to what is known of these, and deletes those that were not seen since a moment. */
export function noteUnnamedProxies(
  tx: Tx,
  seen: readonly Pick<UnnamedProxy, 'network' | 'requests'>[],
  at: { now: Date; forgetBefore: Date },
): void {
  tx.defer(NOTE, [seen.map(({ network }) => network), seen.map(({ requests }) => requests), at.now])
  tx.defer(THIN, [at.forgetBefore])
}

const LIST = statement(
  'list_unnamed_proxies',
  `select network, requests, last_seen_at as "lastSeenAt" from unnamed_proxies
    where last_seen_at >= $1 order by requests desc, network`,
)

/** The busiest first. */
export function listUnnamedProxies(db: Db, since: Date): Promise<UnnamedProxy[]> {
  return db.query<UnnamedProxy>(LIST, [since])
}
