// What happened, written down in the transaction in which it happened. The database queues the deliveries.
import type { Db, Tx } from './sql.ts'

export const EVENT_CATEGORIES = [
  'customer',
  'kyc_link',
  'liquidation_address.drain',
  'static_memo.activity',
  'transfer',
  'virtual_account.activity',
  'bridge_wallet.activity',
  'card_account',
  'card_transaction',
  'card_withdrawal',
  'posted_card_account_transaction',
] as const

export type EventCategory = (typeof EVENT_CATEGORIES)[number]

export interface BankEvent {
  readonly id: string
  readonly category: EventCategory
  readonly type: 'created' | 'updated' | 'updated.status_transitioned' | 'deleted'
  readonly objectId: string
  readonly objectStatus: string | null
  readonly object: object
  readonly changes: Readonly<Record<string, readonly [unknown, unknown]>>
  /** The event is told no earlier than this; null: at once. */
  readonly availableAt: Date | null
  readonly createdAt: Date
}

/** As it is stored: the object and its changes are JSON that nobody here has to read again. */
export interface RecordedEvent extends Omit<BankEvent, 'availableAt' | 'object' | 'changes'> {
  readonly seq: bigint
  readonly object: string
  readonly changes: string
}

export const EVENT_COLUMNS = `e.seq, e.id, e.category, e.type, e.object_id as "objectId", e.object_status as "objectStatus",
  e.object::text as object, e.changes::text as changes, e.created_at as "createdAt"`

export function recordEvents(tx: Tx, events: readonly BankEvent[], now: Date): void {
  if (events.length === 0) return
  tx.defer(
    `insert into events (id, category, type, object_id, object_status, object, changes, available_at, created_at)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::uuid[], $5::text[], $6::json[], $7::json[],
       $8::timestamptz[], $9::timestamptz[])`,
    [
      events.map((event) => event.id),
      events.map((event) => event.category),
      events.map((event) => event.type),
      events.map((event) => event.objectId),
      events.map((event) => event.objectStatus),
      events.map((event) => JSON.stringify(event.object)),
      events.map((event) => JSON.stringify(event.changes)),
      events.map((event) => event.availableAt ?? now),
      events.map((event) => event.createdAt),
    ],
  )
}

/** The next events that a webhook will get. */
export function listUpcomingEvents(
  db: Db,
  webhookId: string,
  filter: { category: string | null; now: Date; limit: number },
): Promise<RecordedEvent[]> {
  return db.query<RecordedEvent>(
    `select ${EVENT_COLUMNS} from deliveries d join events e on e.seq = d.event_seq
      where d.webhook_id = $1 and d.state = 'waiting' and not d.is_manual and e.available_at <= $2
        and ($3::text is null or e.category = $3)
      order by e.seq limit $4`,
    [webhookId, filter.now, filter.category, filter.limit],
  )
}
