// Attempts that the bank refused. It may have made them all the same, so they are looked for before anything else is sent
// under their idempotency key.
import type { Scope } from '../core/scope.ts'
import { ofKey } from './payouts.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface RefusedAttempt {
  readonly id: string
  /** By when the bank's list has to have it, if it was made. */
  readonly listedBy: Date | null
  /** When the operator took out of the books what the bank had made of it. */
  readonly debitedAt: Date | null
  /** An alarm has told that the bank has a transfer of it. */
  readonly isTold: boolean
}

const OF_KEY = statement(
  'refused_attempts_of_key',
  `select id, listed_by as "listedBy", debited_at as "debitedAt", exists (
            select 1 from told_alarms told
             where told.partner_id = $1 and told.environment = $2 and told.about = payouts.id::text
               and starts_with(told.cause, $4)) as "isTold"
     from payouts
    where ${ofKey('$3', 'released_at is not null and bank_attempt > 1')}, id`,
)

/**
 * Those whose key has passed to another request. `cause`: how the causes of the alarm begin that tells of such a transfer.
 */
export function listRefusedAttempts(
  db: Db,
  { partnerId, environment }: Scope,
  sought: { readonly idempotencyKey: string; readonly cause: string },
): Promise<RefusedAttempt[]> {
  return db.query<RefusedAttempt>(OF_KEY, [partnerId, environment, sought.idempotencyKey, sought.cause])
}

// Only a refusal says by when the bank has to list it. Another rate makes a new attempt as well, of what was never sent.
const HAS = statement(
  'key_has_refused_attempt',
  `(select 1 from payouts
     where ${ofKey('$3', 'released_at is null and bank_attempt > 1 and listed_by is not null')} limit 1)
   union all
   (select 1 from payouts
     where ${ofKey('$3', 'released_at is not null and bank_attempt > 1 and listed_by is not null')} limit 1)
   limit 1`,
)

/** Whether the bank has ever refused anything under this key. */
export async function hasRefusedAttempt(
  db: Db,
  { partnerId, environment }: Scope,
  idempotencyKey: string,
): Promise<boolean> {
  return (await db.query(HAS, [partnerId, environment, idempotencyKey])).length > 0
}

const DEBITED = statement(
  'keep_that_payout_was_debited',
  `update payouts set debited_at = $4
    where partner_id = $1 and environment = $2 and id = $3 and send_state in ('not_sent', 'rejected')`,
)

/** From now on the payout is never sent again: its money has left the books by hand. The caller has locked it. */
export function keepDebited(tx: Tx, { partnerId, environment }: Scope, id: string, at: Date): void {
  tx.defer(DEBITED, [partnerId, environment, id, at])
}
