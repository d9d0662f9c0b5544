// For whoever verifies: entries that have no link although they should.
import { type Db, statement } from './sql.ts'
import { idsWaiting } from './waiting-activity.ts'

export interface LookedAt {
  /** To the microsecond, as the table has it. */
  readonly at: string
  readonly id: string
  readonly state: 'linked' | 'waiting' | 'from_before' | 'unlinked'
}

export const FIRST_PLACE = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' } as const

// All of one moment: an entry that is just being linked is among those that wait, or has its link.
const LOOK = statement(
  'activity_by_its_links',
  `select entry.at::text as at, entry.id, case
            when link.hash is not null then 'linked'
            when waiting.id is not null then 'waiting'
            when (place.at, place.id) < (entry.at, entry.id) then 'from_before'
            else 'unlinked' end as state
     from (select at, id from activity
            where partner_id = $1 and (at, id) > ($2::timestamptz, $3::uuid) order by at, id limit $4) entry
     left join lateral (select hash from activity_links
       where partner_id = $1 and at = entry.at and id = entry.id limit 1) link on true
     left join (${idsWaiting('$1')}) waiting on waiting.id = entry.id
     left join audit_backfills place on place.partner_id = $1
    order by entry.at, entry.id`,
)

export function lookAtLinks(
  db: Db,
  partnerId: string,
  after: { readonly at: string; readonly id: string },
  most: number,
): Promise<LookedAt[]> {
  return db.query<LookedAt>(LOOK, [partnerId, after.at, after.id, most])
}
