// Entries from before activity was linked, and those that the release before has noted: they are put among those that wait, so many
// at a time.
import { type Tx, statement } from './sql.ts'
import { type ChainId, beginChains, lockChains } from './audit-chains.ts'
import { idsNoted, idsWaiting } from './waiting-activity.ts'

const TAKE = statement(
  'take_audit_backfill',
  `select partner_id as "partnerId" from audit_backfills order by partner_id limit 1 for update skip locked`,
)

/** A partner whose entries are still to be looked through; nobody else takes it meanwhile. Null when all are through. */
export async function takeBackfill(tx: Tx): Promise<string | null> {
  return (await tx.query<{ partnerId: string }>(TAKE))[0]?.partnerId ?? null
}

/** Entries become rows of the notes, as the trigger makes them: those that are there and not linked. `rows` say which, and of which chain. */
const noted = (rows: string): string => `
  insert into activity_waiting (partner_id, chain, at, id, count, entries)
  select partner_id, chain, min(at), (array_agg(id order by at, id))[1], count(*),
         string_agg(concat(moment, 'Z ', id, ' ', encode(activity_entry_hash(moment, id, environment, action, status, by, by_name,
           detail, key_id, method, path, duration_ms, ip, subject, changes), 'hex')), E'\\n' order by at, id)
    from (select entry.*, sought.chain, to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as moment,
                 (row_number() over (partition by entry.partner_id, sought.chain order by entry.at, entry.id) - 1) / 250 as part
            from ${rows} sought cross join lateral (
              select * from activity where partner_id = sought.partner_id and at = sought.at and id = sought.id limit 1) entry
            left join lateral (
              select hash from activity_links where partner_id = sought.partner_id and at = sought.at and id = sought.id limit 1)
              link on true
           where link.hash is null) entry
   group by partner_id, chain, part`

// What is written while this runs is waiting or linked in what the statement sees, and is left out.
const NEXT = statement(
  'put_old_activity_among_waiting',
  `with looked_at as (
     select entry.partner_id, entry.at, entry.id, coalesce(entry.environment::text, 'account') as chain
       from activity entry, audit_backfills place
      where entry.partner_id = $1 and place.partner_id = $1 and (entry.at, entry.id) > (place.at, place.id)
      order by entry.at, entry.id limit $2
   ), waiting as materialized (
     ${idsWaiting('$1')}
   ), put as (${noted('(select * from looked_at where id not in (select id from waiting))')}
   ), last as (
     select at, id from looked_at order by at desc, id desc limit 1
   ), moved as (
     update audit_backfills set at = last.at, id = last.id from last where partner_id = $1
   )
   select count(*)::int as count from looked_at`,
)

// Whoever fills up old entries in the release before does not see our notes, and notes the same entries again.
const MOVE = statement(
  'move_unsealed_to_waiting',
  `with waiting as materialized (
     ${idsNoted('$1')}
   ), old as (
     delete from activity_unsealed where ctid = any(array(
       select ctid from activity_unsealed where partner_id = $1 and chain = $2 order by at, id limit $3))
     returning partner_id, chain, at, id
   ), put as (${noted('(select * from old where id not in (select id from waiting))')}
   )
   select count(*)::int as count from old`,
)

const OLD_NOTES = statement(
  'chain_with_unsealed_activity',
  `select partner_id as "partnerId", chain from activity_unsealed order by partner_id, chain limit 1`,
)

/** What the release before has noted, of one chain. Returns how many entries; a worker of that release may be linking them just now. */
export async function moveOldNotes(tx: Tx, most: number): Promise<number> {
  const [chain] = await tx.query<ChainId>(OLD_NOTES)
  if (chain === undefined) return 0
  beginChains(tx, [chain])
  await lockChains(tx, [chain])
  return (await tx.query<{ count: number }>(MOVE, [chain.partnerId, chain.chain, most]))[0]!.count
}

const END = statement('end_audit_backfill', 'delete from audit_backfills where partner_id = $1')

/** Returns how many entries were looked at; with none, the partner is through. */
export async function backfillNext(tx: Tx, partnerId: string, most: number): Promise<number> {
  const { count } = (await tx.query<{ count: number }>(NEXT, [partnerId, most]))[0]!
  if (count === 0) tx.defer(END, [partnerId])
  return count
}
