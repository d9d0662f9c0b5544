// Events that are too old to be told, and are deleted.
import type { Scope } from '../core/scope.ts'
import { subjectOf } from './event-standing.ts'
import { LAST_POSITION } from './events.ts'
import { type Db, type Tx, statement } from './sql.ts'

/**
 * In SQL: an event `e` of a wallet, whose newest has this position, is not that one; nor is it the newest of its subject, unless
 * that needs none to count on.
 */
const isFollowed = (newest: string) => `e.position < ${newest} and (${subjectOf('e.')} in ('payout', 'deposit')
        or e.sequence < (select l.sequence from events l
          where l.partner_id = e.partner_id and l.environment = e.environment and l.subject_id = e.subject_id
          order by l.sequence desc limit 1))`

const WALLETS = statement(
  'wallets_with_old_events',
  `select w.partner_id as "partnerId", w.environment from wallets w
    cross join lateral (select l.position from events l
      where l.partner_id = w.partner_id and l.environment = w.environment order by l.position desc limit 1) newest
    cross join lateral (select 1 from events e
      where e.partner_id = w.partner_id and e.environment = w.environment and e.id < $1 and ${isFollowed('newest.position')}
      order by e.id limit 1) old
    limit $2`,
)

export function listWalletsWithOldEvents(db: Db, before: string, most: number): Promise<Scope[]> {
  return db.query<Scope>(WALLETS, [before, most])
}

const FORGET = statement(
  'forget_events',
  `delete from events where ctid = any(array(
     select e.ctid from events e
      where e.partner_id = $1 and e.environment = $2 and e.id < $3
        and ${isFollowed(`(select position from ${LAST_POSITION} as newest)`)}
      order by e.id limit $4))`,
)

/** Deletes events whose ids are lower, the oldest first. */
export function forgetEvents(tx: Tx, scope: Scope, { before, most }: { before: string; most: number }): void {
  tx.defer(FORGET, [scope.partnerId, scope.environment, before, most])
}
