// Entries from before activity was linked: they are put among those that wait, so many at a time.
import { type Tx, statement } from './sql.ts'

const TAKE = statement(
  'take_audit_backfill',
  `select partner_id as "partnerId" from audit_backfills order by partner_id limit 1 for update skip locked`,
)

/** A partner whose entries are still to be looked through; nobody else takes it meanwhile. Null when all are through. */
export async function takeBackfill(tx: Tx): Promise<string | null> {
  return (await tx.query<{ partnerId: string }>(TAKE))[0]?.partnerId ?? null
}

// One that is sealed in this very moment may be put among the waiting again: whoever seals leaves out what has a link.
const NEXT = statement(
  'put_old_activity_among_unsealed',
  `with looked_at as (
     select entry.at, entry.id, coalesce(entry.environment::text, 'account') as chain
       from activity entry, audit_backfills place
      where entry.partner_id = $1 and place.partner_id = $1 and (entry.at, entry.id) > (place.at, place.id)
      order by entry.at, entry.id limit $2
   ), put as (
     insert into activity_unsealed (partner_id, chain, at, id)
     select $1, chain, at, id from looked_at left join lateral (
              select hash from activity_links
               where partner_id = $1 and at = looked_at.at and id = looked_at.id limit 1) link on true
      where link.hash is null
     on conflict do nothing
   ), last as (
     select at, id from looked_at order by at desc, id desc limit 1
   ), moved as (
     update audit_backfills set at = last.at, id = last.id from last where partner_id = $1
   )
   select count(*)::int as count from looked_at`,
)
const END = statement('end_audit_backfill', 'delete from audit_backfills where partner_id = $1')

/** Returns how many entries were looked at; with none, the partner is through. */
export async function backfillNext(tx: Tx, partnerId: string, most: number): Promise<number> {
  const { count } = (await tx.query<{ count: number }>(NEXT, [partnerId, most]))[0]!
  if (count === 0) tx.defer(END, [partnerId])
  return count
}
