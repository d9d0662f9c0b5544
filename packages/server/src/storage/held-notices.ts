// Notices that an admin is told later, together with others that come meanwhile.
import { type Db, type Tx, statement } from './sql.ts'

export interface HeldNotice {
  readonly id: string
  readonly email: string
  readonly words: string
  readonly createdAt: Date
}

/** The most notices kept per person, the newest ones; more would only be counted. */
export const MOST_HELD = 20

const INSERT = statement(
  'insert_held_notice',
  `with surplus as (
     select id from held_notices where partner_id = $1 and email = $3 order by created_at desc, id desc offset $6
   ), dropped as (
     delete from held_notices h using surplus s where h.partner_id = $1 and h.id = s.id
     returning h.stands_for, coalesce(h.held_since, h.created_at) as held_since
   )
   insert into held_notices (partner_id, id, email, words, created_at, stands_for, held_since)
   select $1, $2, $3, $4, $5::timestamptz, 1 + coalesce(sum(stands_for), 0), least($5, min(held_since)) from dropped`,
)

/** Replaces the oldest when there are enough, and then counts for it too. */
export function insertHeldNotice(tx: Tx, partnerId: string, notice: HeldNotice): void {
  const { id, email, words, createdAt } = notice
  tx.defer(INSERT, [partnerId, id, email, words, createdAt, MOST_HELD - 1])
}

export interface DueDigest {
  readonly partnerId: string
  readonly businessName: string
  readonly email: string
}

const DUE = statement(
  'due_digests',
  `select h.partner_id as "partnerId", p.name as "businessName", h.email
     from held_notices h join partners p on p.id = h.partner_id
    group by h.partner_id, p.name, h.email having min(coalesce(h.held_since, h.created_at)) <= $1
    order by row_number() over (partition by h.partner_id order by min(coalesce(h.held_since, h.created_at)), h.email),
             min(coalesce(h.held_since, h.created_at))
    limit $2`,
)

/** The people whose oldest notice has been held since before a moment: one per business, then a second per business. */
export function listDueDigests(db: Db, heldSince: Date, most: number): Promise<DueDigest[]> {
  return db.query<DueDigest>(DUE, [heldSince, most])
}

const TAKE = statement(
  'take_held_notices',
  `with taken as (delete from held_notices where partner_id = $1 and email = $2
                  returning id, email, words, created_at, stands_for)
   select id, email, words, created_at as "createdAt", stands_for as "standsFor" from taken
    order by created_at desc, id desc`,
)

export interface TakenNotice extends HeldNotice {
  /** Itself and those that made room for it. */
  readonly standsFor: number
}

/** Deletes a person's notices and returns them, newest first: only one caller gets them, and tells them. */
export function takeHeldNotices(tx: Tx, partnerId: string, email: string): Promise<TakenNotice[]> {
  return tx.query<TakenNotice>(TAKE, [partnerId, email])
}
