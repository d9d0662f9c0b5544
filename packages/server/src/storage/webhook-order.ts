// What waits for an earlier event of its subject that failed.
import type { Scope } from '../core/scope.ts'
import { type Tx, statement } from './sql.ts'

const HOLD_BACK = statement(
  'hold_back_webhook_deliveries',
  `update webhook_deliveries set next_try_at = $6
    where ctid = any(array(
      select c.ctid from webhook_deliveries c
       where array[c.partner_id] = array[$1::uuid] and array[c.endpoint_id] = array[$3::uuid] and c.ended_at is null
         and c.subject_id::text = $7::text and c.sequence > $8
         and c.attempts = 0 and c.lease_token is null and c.next_try_at < $6
         and (select b.lease_token from webhook_deliveries b
               where b.partner_id = $1 and b.environment = $2 and b.endpoint_id = $3 and b.id = $4) = $5))`,
)

export interface Failed {
  readonly id: string
  readonly subjectId: string
  readonly sequence: number
}

/**
 * What comes after a delivery in its subject is not due before then: otherwise every claim would pass over it, and at a receiver
 * that fails over thousands. Call it before the attempt is recorded: it is for the holder of the lease.
 */
export function holdBack(
  tx: Tx,
  endpoint: Scope & { readonly id: string },
  { leaseToken, failed, until }: { leaseToken: string; failed: Failed; until: Date },
): void {
  const { partnerId, environment, id } = endpoint
  const { id: failedId, subjectId, sequence } = failed
  tx.defer(HOLD_BACK, [partnerId, environment, id, failedId, leaseToken, until, subjectId, sequence])
}
