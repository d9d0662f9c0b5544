import type { WEBHOOK_ENDPOINT_STATUSES, DISABLED_REASONS } from '@kestrel/contract'

import type { Scope } from '../core/scope.ts'
import { type Db, type Tx, statement } from './sql.ts'

export type EndpointStatus = (typeof WEBHOOK_ENDPOINT_STATUSES)[number]
export type DisabledReason = (typeof DISABLED_REASONS)[number]

export interface EndpointRow extends Scope {
  readonly id: string
  readonly url: string
  readonly description: string | null
  readonly events: readonly string[]
  readonly status: EndpointStatus
  readonly disabledReason: DisabledReason | null
  readonly disabledAt: Date | null
  readonly secretSealed: Buffer
  readonly previousSecretSealed: Buffer | null
  readonly previousSecretUntil: Date | null
  readonly failingSince: Date | null
  readonly toldAt: Date | null
  /** The receiver has asked to be left alone until then. */
  readonly quietUntil: Date | null
  /** Whoever sends to it, alone until then. */
  readonly servedBy: string | null
  readonly servedUntil: Date | null
  /** Null: it has never failed. */
  readonly lastFailedAt: Date | null
  readonly lastFailedStatus: number | null
  readonly lastFailedError: string | null
  /** Null: nothing has arrived there yet. */
  readonly firstDeliveredAt: Date | null
  readonly createdAt: Date
  readonly createdBy: string
  /** Of the wallet's events up to there deliveries are made. */
  readonly position: bigint
}

export const ENDPOINT_COLUMNS = `e.partner_id as "partnerId", e.environment, e.id, e.url, e.description, e.events, e.status,
  e.disabled_reason as "disabledReason", e.disabled_at as "disabledAt", e.secret_sealed as "secretSealed",
  e.previous_secret_sealed as "previousSecretSealed", e.previous_secret_until as "previousSecretUntil",
  e.failing_since as "failingSince", e.told_at as "toldAt", e.created_at as "createdAt", e.created_by as "createdBy", e.position,
  e.quiet_until as "quietUntil", e.served_by as "servedBy", e.served_until as "servedUntil", e.last_failed_at as "lastFailedAt", e.last_failed_status as "lastFailedStatus",
  e.last_failed_error as "lastFailedError", e.first_delivered_at as "firstDeliveredAt"`

const LIST = statement(
  'list_webhook_endpoints',
  `select ${ENDPOINT_COLUMNS} from webhook_endpoints e
    where partner_id = $1 and environment = $2 and deleted_at is null order by id`,
)

/** The oldest first. There are ten at most. */
export function listEndpoints(db: Db, { partnerId, environment }: Scope): Promise<EndpointRow[]> {
  return db.query<EndpointRow>(LIST, [partnerId, environment])
}

const FIND = statement(
  'find_webhook_endpoint',
  `select ${ENDPOINT_COLUMNS} from webhook_endpoints e
    where partner_id = $1 and environment = $2 and id = $3 and deleted_at is null`,
)
const LOCK = statement('lock_webhook_endpoint', `${FIND.text} for no key update`)

export async function findEndpoint(db: Db, scope: Scope, id: string): Promise<EndpointRow | null> {
  return (await db.query<EndpointRow>(FIND, [scope.partnerId, scope.environment, id]))[0] ?? null
}

export async function lockEndpoint(tx: Tx, scope: Scope, id: string): Promise<EndpointRow | null> {
  return (await tx.query<EndpointRow>(LOCK, [scope.partnerId, scope.environment, id]))[0] ?? null
}

const INSERT = statement(
  'insert_webhook_endpoint',
  `insert into webhook_endpoints
     (partner_id, environment, id, url, description, events, status, secret_sealed, created_at, created_by, position)
   values ($1, $2, $3, $4, $5, $6, 'active', $7, $8, $9, $10)`,
)

export function insertEndpoint(tx: Tx, row: EndpointRow): void {
  const { partnerId, environment, id, url, description, events, secretSealed, createdAt, createdBy, position } = row
  const made = [secretSealed, createdAt, createdBy, position]
  tx.defer(INSERT, [partnerId, environment, id, url, description, events, ...made])
}

const UPDATE = statement(
  'update_webhook_endpoint',
  `update webhook_endpoints set url = $4, description = $5, events = $6, status = $7, disabled_reason = $8, disabled_at = $9,
          secret_sealed = $10, previous_secret_sealed = $11, previous_secret_until = $12, failing_since = $13, told_at = $14,
          position = $15, quiet_until = $16
    where partner_id = $1 and environment = $2 and id = $3 and deleted_at is null`,
)

/** Writes a row that was read under `lockEndpoint`. */
export function updateEndpoint(tx: Tx, row: EndpointRow): void {
  tx.defer(UPDATE, [
    row.partnerId,
    row.environment,
    row.id,
    row.url,
    row.description,
    row.events,
    row.status,
    row.disabledReason,
    row.disabledAt,
    row.secretSealed,
    row.previousSecretSealed,
    row.previousSecretUntil,
    row.failingSince,
    row.toldAt,
    row.position,
    row.quietUntil,
  ])
}

const DELETE = statement(
  'delete_webhook_endpoint',
  `update webhook_endpoints set deleted_at = $4, secret_sealed = null, previous_secret_sealed = null,
          previous_secret_until = null
    where partner_id = $1 and environment = $2 and id = $3 and deleted_at is null`,
)

/** Call it under `lockEndpoint`. The secrets are gone at once. */
export function deleteEndpoint(tx: Tx, scope: Scope, id: string, at: Date): void {
  tx.defer(DELETE, [scope.partnerId, scope.environment, id, at])
}
