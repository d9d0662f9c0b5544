// What waits for an earlier event of its subject that failed.
import type { Scope } from '../core/scope.ts'
import { type Tx, statement } from './sql.ts'

// From its first attempt on, its own row says how long a delivery holds others back.
const HOLD_BACK = statement(
  'hold_back_webhook_deliveries',
  `with failed as materialized (
     select least($6::timestamptz, case b.attempts when 0 then $7::timestamptz else b.in_order_until end) as until
       from webhook_deliveries b
      where b.partner_id = $1 and b.environment = $2 and b.endpoint_id = $3 and b.id = $4 and b.lease_token = $5
   )
   update webhook_deliveries set next_try_at = (select until from failed)
    where ctid = any(array(
      select c.ctid from webhook_deliveries c
       where array[c.partner_id] = array[$1::uuid] and array[c.endpoint_id] = array[$3::uuid] and c.ended_at is null
         and c.subject_id::text = $8::text and c.sequence > $9
         and c.attempts = 0 and c.lease_token is null and c.next_try_at < (select until from failed)))`,
)

export interface Failed {
  readonly id: string
  readonly subjectId: string
  readonly sequence: number
  readonly nextTryAt: Date
  /** If this was its first attempt. */
  readonly inOrderUntil: Date
}

/**
 * What comes after a delivery in its subject is not due before its next attempt, or before it need not wait any longer: otherwise
 * every claim would pass over it, and at a receiver that fails over thousands. Call it before the attempt is recorded: it is for
 * the holder of the lease.
 */
export function holdBack(tx: Tx, endpoint: Scope & { readonly id: string }, leaseToken: string, failed: Failed): void {
  const { id, subjectId, sequence, nextTryAt, inOrderUntil } = failed
  const key = [endpoint.partnerId, endpoint.environment, endpoint.id, id]
  tx.defer(HOLD_BACK, [...key, leaseToken, nextTryAt, inOrderUntil, subjectId, sequence])
}
