// Links go with the months of entries that they were about; the chain then begins after them.
import { LOWEST_ID } from '../core/ids.ts'
import type { ChainId } from '../core/audit-chain.ts'
import { type Db, type Tx, statement } from './sql.ts'

/** Where a pass over the chains begins: before any. */
export const FIRST_CHAIN: ChainId = { partnerId: LOWEST_ID, chain: 'account' }

const AFTER = statement(
  'audit_chains_after',
  `select partner_id as "partnerId", chain from audit_chains where (partner_id, chain) > ($1, $2)
    order by partner_id, chain limit $3`,
)

export function listChainsAfter(db: Db, { partnerId, chain }: ChainId, most: number): Promise<ChainId[]> {
  return db.query<ChainId>(AFTER, [partnerId, chain, most])
}

/** The first moment that is kept, by the database's own clock as keep_activity has it. */
const KEPT_SINCE = `(date_trunc('month', now(), 'UTC') - make_interval(months => $3))`

// From the beginning, for as long as entries are older than their term and really gone: one that is missing otherwise stays
// linked, so that whoever verifies finds it.
const LAST = statement(
  'last_activity_link_to_forget',
  `with first as (
     select link.position, link.hash, link.at >= ${KEPT_SINCE} or entry.id is not null as stays
       from (select position, hash, at, id from activity_links
              where partner_id = $1 and chain = $2 order by position limit $4) link
       left join lateral (select id from activity where partner_id = $1 and at = link.at and id = link.id limit 1)
         entry on true
   )
   select position::float8 as position, hash from first
    where position < coalesce((select min(position) from first where stays), 9223372036854775807)
    order by position desc limit 1`,
)
const BEGIN_AFTER = statement(
  'begin_audit_chain_after',
  'update audit_chains set forgotten = $3, forgotten_hash = $4 where partner_id = $1 and chain = $2',
)
const FORGET = statement(
  'forget_activity_links',
  `delete from activity_links where ctid = any(array(
     select ctid from activity_links where partner_id = $1 and chain = $2 and position <= $3
      order by position limit $4))`,
)
const LOCK = statement(
  'lock_audit_chain_to_forget',
  `select forgotten::float8 as forgotten from audit_chains where partner_id = $1 and chain = $2 for no key update`,
)

/** Returns how many were forgotten. */
export async function forgetLinks(
  tx: Tx,
  { partnerId, chain }: ChainId,
  { months, most }: { months: number; most: number },
): Promise<number> {
  const { forgotten } = (await tx.query<{ forgotten: number }>(LOCK, [partnerId, chain]))[0]!
  const values = [partnerId, chain, months, most]
  const [last] = await tx.query<{ position: number; hash: Buffer }>(LAST, values)
  if (last === undefined) return 0
  tx.defer(FORGET, [partnerId, chain, last.position, most])
  tx.defer(BEGIN_AFTER, [partnerId, chain, last.position, last.hash])
  return last.position - forgotten
}
