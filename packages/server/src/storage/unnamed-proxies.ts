// Networks that forward requests for several callers, and that TRUST_PROXY does not name.
import { itemColumns } from './item-columns.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface UnnamedProxy {
  readonly network: string
  readonly requests: bigint
  readonly lastSeenAt: Date
}

/** The most rows that stay: anybody can claim to forward, and the busiest is the one that matters. */
const MOST_KEPT = 20

const SEEN = itemColumns<'network' | 'requests'>(2, { network: ['network', 'text'], requests: ['requests', 'bigint'] })

const NOTE = statement(
  'note_unnamed_proxies',
  `insert into unnamed_proxies as u (last_seen_at, ${SEEN.names})
   select $1, ${SEEN.selected} from ${SEEN.from} order by item.network
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
  tx.defer(NOTE, [at.now, ...SEEN.values(seen)])
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
