// How endpoints do: their attempts by the hour, their last failure and their first success. `recordAttempts` counts the hours.
import type { Scope } from '../core/scope.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface EndpointFigures {
  readonly endpointId: string
  readonly attempts: number
  readonly delivered: number
}

const FIGURES = statement(
  'webhook_endpoint_figures',
  `select endpoint_id as "endpointId", sum(attempts)::int as attempts, sum(delivered)::int as delivered from webhook_hours
    where partner_id = $1 and environment = $2 and endpoint_id = any($3) and hour > $4 group by endpoint_id`,
)

/** Of the hours that began since a moment. Endpoints without any attempt are left out. */
export function readEndpointFigures(
  db: Db,
  { partnerId, environment }: Scope,
  { ids, since }: { ids: readonly string[]; since: Date },
): Promise<EndpointFigures[]> {
  return db.query<EndpointFigures>(FIGURES, [partnerId, environment, ids, since])
}

const NOTE = statement(
  'note_how_webhook_endpoint_does',
  `update webhook_endpoints set first_delivered_at = coalesce(first_delivered_at, $4),
          last_failed_at = coalesce($5, last_failed_at),
          last_failed_status = case when $5 is null then last_failed_status else $6 end,
          last_failed_error = case when $5 is null then last_failed_error else $7 end
    where partner_id = $1 and environment = $2 and id = $3`,
)

/** Call it under `lockEndpoint`. */
export function noteEndpoint(
  tx: Tx,
  { partnerId, environment, id }: Scope & { readonly id: string },
  seen: { deliveredAt: Date | null; failure: { at: Date; status: number | null; error: string | null } | null },
): void {
  const { deliveredAt, failure } = seen
  const failed = [failure?.at ?? null, failure?.status ?? null, failure?.error ?? null]
  tx.defer(NOTE, [partnerId, environment, id, deliveredAt, ...failed])
}

const FORGET = statement('forget_webhook_hours', 'delete from webhook_hours where hour < $1')

/** There are some dozens per endpoint, so all of them are looked at. */
export function forgetHours(tx: Tx, before: Date): void {
  tx.defer(FORGET, [before])
}
