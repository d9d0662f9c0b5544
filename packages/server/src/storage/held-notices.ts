// What an admin is told later, together with whatever else there is by then.
import { type Db, type Tx, statement } from './sql.ts'

export interface HeldNotice {
  readonly id: string
  readonly email: string
  readonly words: string
  readonly createdAt: Date
}

const INSERT = statement(
  'insert_held_notice',
  'insert into held_notices (partner_id, id, email, words, created_at) values ($1, $2, $3, $4, $5)',
)

export function insertHeldNotice(tx: Tx, partnerId: string, notice: HeldNotice): void {
  const { id, email, words, createdAt } = notice
  tx.defer(INSERT, [partnerId, id, email, words, createdAt])
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
    group by h.partner_id, p.name, h.email having min(h.created_at) <= $1
    order by min(h.created_at) limit $2`,
)

/** Whose oldest notice has been held since before a moment. */
export function listDueDigests(db: Db, heldSince: Date, most: number): Promise<DueDigest[]> {
  return db.query<DueDigest>(DUE, [heldSince, most])
}

const TAKE = statement(
  'take_held_notices',
  `with taken as (delete from held_notices where partner_id = $1 and email = $2 returning id, email, words, created_at)
   select id, email, words, created_at as "createdAt" from taken order by created_at, id`,
)

/** Takes them away: whoever gets them tells them, and nobody else does. */
export function takeHeldNotices(tx: Tx, partnerId: string, email: string): Promise<HeldNotice[]> {
  return tx.query<HeldNotice>(TAKE, [partnerId, email])
}
