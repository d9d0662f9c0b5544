import { assert } from '../core/assert.ts'
import { type Condition, readPage } from './page.ts'
import type { Db, Tx } from './sql.ts'

export interface Webhook {
  readonly id: string
  readonly url: string
  readonly status: 'active' | 'disabled' | 'deleted'
  /** Null: every category. */
  readonly eventCategories: readonly string[] | null
  readonly publicKey: string
  readonly createdAt: Date
}

const COLUMNS = `id, url, status, event_categories as "eventCategories", public_key as "publicKey",
  created_at as "createdAt"`

export async function insertWebhook(tx: Tx, webhook: Webhook, privateKey: string): Promise<void> {
  await tx.query(
    `insert into webhooks (id, url, status, event_categories, public_key, private_key, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      webhook.id,
      webhook.url,
      webhook.status,
      webhook.eventCategories,
      webhook.publicKey,
      privateKey,
      webhook.createdAt,
    ],
  )
}

/** For a webhook that asked for every event since the beginning. */
export async function queuePastEvents(tx: Tx, webhookId: string): Promise<void> {
  await tx.query(
    `insert into deliveries (webhook_id, event_seq, object_id, due_at)
     select w.id, e.seq, e.object_id, e.available_at from events e
       join webhooks w on w.id = $1 and (w.event_categories is null or e.category = any (w.event_categories))
      order by e.seq`,
    [webhookId],
  )
}

export async function countWebhooks(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::int as count from webhooks where status <> 'deleted'`,
  )
  return row?.count ?? 0
}

export async function findWebhook(db: Db, id: string): Promise<Webhook | null> {
  const rows = await db.query<Webhook>(`select ${COLUMNS} from webhooks where id = $1 and status <> 'deleted'`, [id])
  return rows[0] ?? null
}

export async function findPrivateKey(db: Db, webhookId: string): Promise<string> {
  const [row] = await db.query<{ key: string }>('select private_key as key from webhooks where id = $1', [webhookId])
  assert(row !== undefined, 'a webhook that was deleted is kept too')
  return row.key
}

export async function lockWebhook(tx: Tx, id: string): Promise<Webhook | null> {
  const rows = await tx.query<Webhook>(
    `select ${COLUMNS} from webhooks where id = $1 and status <> 'deleted' for no key update`,
    [id],
  )
  return rows[0] ?? null
}

export function listWebhooks(db: Db): Promise<Webhook[]> {
  return db.query<Webhook>(`select ${COLUMNS} from webhooks where status <> 'deleted' order by seq desc`)
}

export async function updateWebhook(tx: Tx, webhook: Webhook): Promise<void> {
  await tx.query('update webhooks set url = $2, status = $3, event_categories = $4 where id = $1', [
    webhook.id,
    webhook.url,
    webhook.status,
    webhook.eventCategories,
  ])
}

export interface DeliveryLog {
  readonly status: number
  readonly eventId: string
  readonly responseBody: string
  readonly createdAt: Date
}

export function listDeliveryLogs(db: Db, webhookId: string, limit: number): Promise<DeliveryLog[]> {
  const where: Condition[] = [{ sql: 'webhook_id = ?', value: webhookId }]
  return readPage<DeliveryLog>(db, {
    select: 'status, event_id as "eventId", response_body as "responseBody", created_at as "createdAt"',
    from: 'delivery_logs',
    alias: 'delivery_logs',
    table: 'delivery_logs',
    where,
    page: { limit, startingAfter: null, endingBefore: null },
  })
}
